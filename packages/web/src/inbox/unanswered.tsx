import { MayflyGoneError } from 'mayfly-client';
import { wordsFor } from '../problem-words.js';
import type { Answer } from './use-answer.js';

/** Stands where something is to be that has not come: says why it has not, and asks again. */
export function Unanswered({ answer: { error, retry } }: { answer: Answer<unknown> }) {
  if (error === null) return <p class="hint">Reading the email…</p>;
  return (
    <p class="panel-actions">
      <span class="problem" role="alert">
        {wordsFor(error)}
      </span>
      {!(error instanceof MayflyGoneError) && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}
