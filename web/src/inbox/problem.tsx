import { MayflyAuthError } from 'mayfly-client';
import { wordsFor } from '../problem-words.js';
import { ApiKeyForm } from '../ui/api-key-form.js';

const KEY_PROBLEMS = {
  missing: 'The name belongs to a workspace. Enter the API key of that workspace.',
  wrong: 'This key does not open the inbox. Check the key, and enter it as NAME=KEY.',
} as const;

interface ProblemProps {
  readonly error: Error;
  readonly apiKey: string;
  onApiKey(apiKey: string): void;
  retry(): void;
}

/** Says why the inbox cannot be read, and what to do. */
export function Problem({ error, apiKey, onApiKey, retry }: ProblemProps) {
  const needsKey = error instanceof MayflyAuthError;
  return (
    <main class="notice">
      <h2 class="title">{needsKey ? 'This inbox needs an API key' : 'This inbox cannot be read'}</h2>
      <p class="problem" role="alert">
        {needsKey ? KEY_PROBLEMS[apiKey === '' ? 'missing' : 'wrong'] : wordsFor(error)}
      </p>
      {needsKey && <ApiKeyForm apiKey={apiKey} onApiKey={onApiKey} />}
      {!needsKey && (
        <button type="button" class="button button-main" onClick={retry}>
          Try again
        </button>
      )}
    </main>
  );
}
