import { type EmailParts, MayflyGoneError, MayflyResponseError } from 'mayfly-client';
import { pauseMs } from 'mayfly-client/retry';
import { useState } from 'preact/hooks';
import { wordsFor } from '../problem-words.js';
import type { Service } from '../service.js';
import { pause, useUntil } from '../ui/until.js';
import type { Mail } from './mail.js';

/** So often a service that is busy is asked before that is said: some three seconds, as the pauses grow. */
export const BUSY_TRIES = 6;

/** What a service answers that is busy with other messages. */
export const BUSY_STATUS = 503;

/** An email of an inbox, and the service that has it. */
export interface InService {
  readonly service: Service;
  readonly inbox: string;
  readonly mail: Mail;
}

/** The same, for a part of the page that may find that the email is not there any more. */
export interface PanelProps extends InService {
  onGone(): void;
}

/** What the service is asked for of the email on screen, as far as it has come. */
export interface Answer<T> {
  /** Null while it is on its way, and where it could not be had. */
  readonly value: T | null;
  readonly error: Error | null;
  retry(): void;
}

/** What an email holds. */
export type Parts = Answer<EmailParts>;

/**
 * Asks once, again where the service is busy, and again when told to. `onGone` hears that the email is not there any
 * more; left out where the email itself says so.
 */
export function useAnswer<T>(ask: (signal: AbortSignal) => Promise<T>, onGone = () => {}): Answer<T> {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useUntil([attempt], (signal) => {
    setError(null);
    patiently(ask, signal).then(setValue, (reason: Error) => {
      if (signal.aborted) return;
      setError(reason);
      if (reason instanceof MayflyGoneError) onGone();
    });
  });
  return { value, error, retry: () => setAttempt(attempt + 1) };
}

/** Asks until the service is not too busy to answer, or has been for too long. Rejects as the last request does. */
async function patiently<T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(signal);
    } catch (error) {
      const isBusy = error instanceof MayflyResponseError && error.status === BUSY_STATUS;
      if (!isBusy || tries === BUSY_TRIES) throw error;
    }
    await pause(pauseMs(tries, null), signal);
  }
}

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
