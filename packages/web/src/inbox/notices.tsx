import { MayflyAuthError } from 'mayfly-client';
import { isPrivateName } from 'mayfly-protocol/private-name';
import { wordsFor } from '../problem-words.js';
import type { KnownSettings } from '../settings.js';
import { ApiKeyForm, CredentialForm } from '../ui/field.js';
import { Icon, Waiting } from '../ui/icon.js';
import { SmtpGuide } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';
import { isSecret } from './secret.js';
import type { Gone } from './use-opened.js';

/** A name that asks for mail to be held back (D56). */
const HOLDS = /--hold(?:--|@|$)/;

/** An inbox without mail: how to get some. */
export function EmptyInbox({ address, settings }: { address: string; settings: KnownSettings }) {
  return (
    <main class="notice">
      <Waiting />
      <h2 class="title">Waiting for mail</h2>
      {HOLDS.test(address) ? (
        <p>
          With rehearsals on, mail to a name with <code>--hold</code> is held until <code>inbox.release()</code>. Try
          it:
        </p>
      ) : (
        <p>Mail sent to this address appears here right away, with its code and link at the top. Try it:</p>
      )}
      <SmtpGuide address={address} settings={settings} />
    </main>
  );
}

interface GoneProps {
  readonly gone: Gone;
  readonly retentionMs: number;
  letGo(): void;
}

/** Says of an email on screen that it is not in its inbox any more. */
export function GoneNotice({ gone, retentionMs, letGo }: GoneProps) {
  return (
    <div class="gone" role="alert">
      <p>
        <strong>{gone === 'expired' ? 'This email has expired.' : 'This email was deleted.'}</strong>{' '}
        {reasonOf(gone, retentionMs)} What was loaded of it stays here until you leave it.
      </p>
      <button type="button" class="button" onClick={letGo}>
        Leave it
      </button>
    </div>
  );
}

/** What an address leads to that names an email which is not there. */
export function MissingMail({ gone, retentionMs, letGo }: GoneProps) {
  return (
    <article class="mail missing" aria-label="Email">
      <h2 class="title" tabIndex={-1}>
        This email is gone
      </h2>
      <p>
        {gone === 'expired'
          ? `It has expired: emails are deleted after ${span(retentionMs)}.`
          : 'It was deleted, or was never in this inbox.'}
      </p>
      <button type="button" class="button button-main" onClick={letGo}>
        <Icon name="back" /> Show the inbox
      </button>
    </article>
  );
}

function reasonOf(gone: Gone, retentionMs: number): string {
  return gone === 'expired' ? `Emails are deleted after ${span(retentionMs)}.` : '';
}

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
