import { MayflyAuthError } from 'mayfly-client';
import { isPrivateName } from 'mayfly-protocol/private-name';
import { wordsFor } from '../problem-words.js';
import { ApiKeyForm, CredentialForm } from '../ui/credential-form.js';
import { isSecret } from './secret.js';

const KEY_PROBLEMS = {
  missing: 'The name belongs to a workspace. Enter the API key of that workspace.',
  wrong: 'This key does not open the inbox. Check the key, and enter it as NAME=KEY.',
} as const;

const SECRET_PROBLEMS = {
  missing: 'Only its secret opens this inbox. Enter the secret that was made with the address.',
  wrong: 'This secret does not open the inbox. Check it, and enter it again.',
} as const;

interface ProblemProps {
  readonly name: string;
  readonly error: Error;
  readonly apiKey: string;
  onApiKey(apiKey: string): void;
  readonly secret: string | null;
  onSecret(secret: string): void;
  retry(): void;
}

/** Says why the inbox cannot be read, and what to do. */
export function Problem({ name, error, apiKey, onApiKey, secret, onSecret, retry }: ProblemProps) {
  const needsKey = error instanceof MayflyAuthError;
  if (needsKey && isPrivateName(name)) {
    return (
      <main class="notice">
        <h2 class="title">This inbox is private</h2>
        <p class={secret === null ? '' : 'problem'} role="alert">
          {SECRET_PROBLEMS[secret === null ? 'missing' : 'wrong']}
        </p>
        <CredentialForm
          label="Secret of the inbox"
          action="Open the inbox"
          isValid={isSecret}
          rule="A secret has 16 to 512 letters, digits and -._~+/."
          onEnter={onSecret}
        />
      </main>
    );
  }
  return (
    <main class="notice">
      <h2 class="title">{needsKey ? 'This inbox needs an API key' : 'This inbox cannot be read'}</h2>
      <p class={needsKey && apiKey === '' ? '' : 'problem'} role="alert">
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
