import { MayflyAuthError } from 'mayfly-client';
import { isPrivateName } from 'mayfly-protocol/private-name';
import { credentials, isSecret, keepSecret, restart, secretOf } from '../credentials.js';
import { wordsFor } from '../problem-words.js';
import type { KnownSettings } from '../settings.js';
import { ApiKeyForm, CredentialForm } from '../ui/field.js';
import { Icon } from '../ui/icon.js';
import { WaitingNotice } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';
import { useMail } from './answer.js';
import type { Gone } from './use-opened.js';

/** A name that holds mail back (D56). */
const HOLDS = /--hold(?:--|@|$)/;

/** Says how to send mail to an empty inbox. */
export function EmptyInbox({ address, settings }: { address: string; settings: KnownSettings }) {
  return (
    <main class="column">
      <WaitingNotice {...{ address, settings }}>
        {HOLDS.test(address) ? (
          <p>
            With failure simulation, mail to a name with <code>--hold</code> is held until <code>inbox.release()</code>.
            Try it:
          </p>
        ) : (
          <p>Mail sent to this address appears here right away, with its code and link at the top. Try it:</p>
        )}
      </WaitingNotice>
    </main>
  );
}

/** Explains why the email on screen is no longer in its inbox. */
export function GoneNotice({ gone }: { gone: Gone }) {
  const { settings, letGo } = useMail();
  return (
    <div class="gone boxed flow spread text-15" role="alert">
      <p>
        <strong>{gone === 'expired' ? 'This email has expired.' : 'This email was deleted.'}</strong>{' '}
        {gone === 'expired' && `Emails are deleted after ${span(settings.retentionMs)}. `}The loaded parts stay here
        until you close the email.
      </p>
      <button type="button" class="button" onClick={letGo}>
        Close the email
      </button>
    </div>
  );
}

interface MissingMailProps {
  readonly gone: Gone | null;
  readonly retentionMs: number;
  letGo(): void;
}

/** Explains why the address of the page leads to no email. */
export function MissingMail({ gone, retentionMs, letGo }: MissingMailProps) {
  return (
    <article class="mail missing column gap-8" aria-label="Email">
      <h2 class="title" tabIndex={-1}>
        This email is gone
      </h2>
      <p>
        {gone === 'expired'
          ? `The email has expired: emails are deleted after ${span(retentionMs)}.`
          : 'The email was deleted, or was never in this inbox.'}
      </p>
      <button type="button" class="button button-main" onClick={letGo}>
        <Icon name="back" /> Show the inbox
      </button>
    </article>
  );
}

interface ProblemProps {
  readonly name: string;
  readonly error: Error;
  retry(): void;
}

const AUTH_PROBLEMS = {
  key: {
    title: 'This inbox needs an API key',
    missing: 'A workspace owns this name. Enter the API key of that workspace.',
    wrong: 'This key does not open the inbox. Check the key, and enter it as NAME=KEY.',
  },
  secret: {
    title: 'This inbox is private',
    missing: 'Only its secret opens this inbox. Enter the secret that was created with the address.',
    wrong: 'This secret does not open the inbox. Check it, and enter it again.',
  },
} as const;

/** Explains why the inbox cannot be read, and what to do. */
export function Problem({ name, error, retry }: ProblemProps) {
  if (!(error instanceof MayflyAuthError)) {
    return (
      <main class="notice stack">
        <h2 class="title">This inbox cannot be read</h2>
        <p class="problem" role="alert">
          {wordsFor(error)}
        </p>
        <button type="button" class="button button-main" onClick={retry}>
          Try again
        </button>
      </main>
    );
  }
  const isPrivate = isPrivateName(name);
  const problem = AUTH_PROBLEMS[isPrivate ? 'secret' : 'key'];
  const isMissing = (isPrivate ? secretOf(name) : credentials.key) === null;
  return (
    <main class="notice stack">
      <h2 class="title">{problem.title}</h2>
      <p class={isMissing ? '' : 'problem'} role="alert">
        {isMissing ? problem.missing : problem.wrong}
      </p>
      {isPrivate ? (
        <CredentialForm
          label="Secret of the inbox"
          action="Open the inbox"
          isValid={isSecret}
          rule="A secret has 16 to 512 letters, digits and -._~+/."
          onEnter={(secret) => {
            keepSecret(name, secret);
            restart();
          }}
        />
      ) : (
        <ApiKeyForm />
      )}
    </main>
  );
}
