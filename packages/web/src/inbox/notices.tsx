import { MayflyAuthError } from 'mayfly-client';
import { isPrivateName } from 'mayfly-protocol/private-name';
import { credentials, keepSecret, restart, secretOf } from '../credentials.js';
import { wordsFor } from '../problem-words.js';
import type { KnownSettings } from '../settings.js';
import { Button } from '../ui/button.js';
import { ApiKeyForm, CredentialForm } from '../ui/field.js';
import { WaitingNotice } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';
import { useMail } from './answer.js';
import type { Gone } from './selection.js';

/** Matches a name whose mail is held back (D56). */
const HOLDS = /--hold(?:--|@|$)/;

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

/** Says why the email on screen is not in its inbox any more. */
export function GoneNotice({ gone }: { gone: Gone }) {
  const { settings, letGo } = useMail();
  return (
    <div class="gone boxed flow spread text-15" role="alert">
      <p>
        <strong>{gone === 'expired' ? 'This email has expired.' : 'This email was deleted.'}</strong>{' '}
        {gone === 'expired' && `Emails are deleted after ${span(settings.retentionMs)}. `}The loaded parts stay here
        until you close the email.
      </p>
      <Button text="Close the email" onClick={letGo} />
    </div>
  );
}

/** Says why the address of the page leads to no email. */
export function MissingMail({ gone, retentionMs, letGo }: { gone: Gone | null; retentionMs: number; letGo(): void }) {
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
      <Button class="button-main" icon="back" text="Show the inbox" onClick={letGo} />
    </article>
  );
}

const PROBLEMS: Readonly<Record<'other' | 'key' | 'secret', { title: string; missing?: string; wrong?: string }>> = {
  other: { title: 'This inbox cannot be read' },
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
};

/** Says why the inbox cannot be read, and what to do. */
export function UnreadableInbox({ name, error, retry }: { name: string; error: Error; retry(): void }) {
  const kind = error instanceof MayflyAuthError ? (isPrivateName(name) ? 'secret' : 'key') : 'other';
  const { title, missing, wrong = wordsFor(error) } = PROBLEMS[kind];
  const isMissing = missing !== undefined && (kind === 'secret' ? secretOf(name) : credentials.key) === null;
  return (
    <main class="notice stack">
      <h2 class="title">{title}</h2>
      <p class={isMissing ? '' : 'problem'} role="alert">
        {isMissing ? missing : wrong}
      </p>
      {kind === 'other' && <Button class="button-main" text="Try again" onClick={retry} />}
      {kind === 'key' && <ApiKeyForm />}
      {kind === 'secret' && (
        <CredentialForm
          label="Secret of the inbox"
          action="Open the inbox"
          onEnter={(secret) => {
            keepSecret(name, secret);
            restart();
          }}
        />
      )}
    </main>
  );
}
