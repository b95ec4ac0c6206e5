import { MayflyAuthError, MayflyGoneError } from 'mayfly-client';
import { isPrivateName } from 'mayfly-protocol/private-name';
import type { ComponentChildren } from 'preact';
import { adHocOf, credentials, keepSecret, restart, secretOf, workspaceName } from '../credentials.js';
import { privateUrl } from '../service.js';
import { useKnown } from '../settings.js';
import { Problem } from '../ui/announce.js';
import { Button, CopyButton } from '../ui/button.js';
import { ApiKeyForm, CredentialForm } from '../ui/field.js';
import { SmtpGuide } from '../ui/smtp-guide.js';
import { span } from '../ui/time.js';
import { useMail } from './answer.js';
import type { Gone } from './selection.js';

/** Matches a name whose mail is held back (D56). */
const HOLDS = /--hold(?:--|@|$)/;

/** Shown instead of mail or tests. */
export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="notice stack">
      <h2 class="title">{title}</h2>
      {children}
    </main>
  );
}

export function EmptyInbox({ inbox }: { inbox: string }) {
  return (
    <Notice title="Waiting for mail">
      {isPrivateName(inbox) && <PrivateInbox inbox={inbox} />}
      {HOLDS.test(inbox) ? (
        <p>
          With failure simulation, mail to a name with <code>--hold</code> is held until <code>inbox.release()</code>.
          Try it:
        </p>
      ) : (
        <p>
          Mail sent to this address {adHocOf(inbox) !== '' && `with the credentials of ${workspaceName()} `}
          appears here right away, with its code and link at the top. Try it:
        </p>
      )}
      <SmtpGuide inbox={inbox} />
    </Notice>
  );
}

/** Offers the link of a private inbox. With credentials, leads to the workspace's own inbox of that name, and back. */
function PrivateInbox({ inbox }: { inbox: string }) {
  if (secretOf(inbox) === null)
    return (
      <>
        <p>
          This is the inbox of the workspace {workspaceName()}. If the application sends without credentials, enter the
          secret of the inbox.
        </p>
        <SecretForm inbox={inbox} />
      </>
    );
  return (
    <>
      <p>Only its secret opens this inbox. The secret stays in this tab until you close it.</p>
      {credentials.adHoc !== '' && (
        <p>
          Mail sent with the credentials of {workspaceName()} is in the workspace's own inbox of this name. Leave the
          private inbox above to see it.
        </p>
      )}
      <CopyButton text={privateUrl(inbox)} what="link to the private inbox">
        Copy link to the private inbox
      </CopyButton>
    </>
  );
}

/** Says why the email on screen is not in its inbox any more. */
export function GoneNotice({ gone }: { gone: Gone }) {
  const { letGo } = useMail();
  const { retentionMs } = useKnown();
  return (
    <div class="gone boxed flow spread text-15" role="alert">
      <p>
        <strong>{gone === 'expired' ? 'This email has expired.' : 'This email was deleted.'}</strong>{' '}
        {gone === 'expired' && `Emails are deleted after ${span(retentionMs)}. `}The loaded parts stay here until you
        close the email.
      </p>
      <Button text="Close the email" onClick={letGo} />
    </div>
  );
}

/** Says why the address of the page leads to no email. */
export function MissingMail({ gone, letGo }: { gone: Gone | null; letGo(): void }) {
  const { retentionMs } = useKnown();
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

/** The title and the text for why a key is missing or refused. */
function problemOf(inbox: string): readonly [string, string] {
  if (secretOf(inbox) !== null)
    return ['Wrong secret', 'This secret does not open the inbox. Check it, and enter it again.'];
  if (isPrivateName(inbox))
    return [
      'This inbox is private',
      'Only its secret opens this inbox. Enter the secret that was created with the address.',
    ];
  if (credentials.adHoc !== '')
    return [
      'Wrong credentials',
      'This Mayfly has no ad-hoc workspaces, or does not accept the user name. Enter another key, or none.',
    ];
  if (credentials.key === null)
    return ['This inbox needs an API key', 'A workspace owns this name. Enter the API key of that workspace.'];
  return ['Wrong API key', 'This key opens no mail here. Check the key, and enter it as NAME=KEY.'];
}

interface UnreadableProps {
  /** Empty for all mail. */
  readonly name: string;
  readonly error: Error;
  retry(): void;
}

/** Says why the mail cannot be read, and what to do. */
export function Unreadable({ name, error, retry }: UnreadableProps) {
  if (!isRefusal(error))
    return (
      <Notice title={`${name === '' ? 'The mail' : 'This inbox'} cannot be read`}>
        <Problem error={error} />
        <Button class="button-main" text="Try again" onClick={retry} />
      </Notice>
    );
  const [title, text] = problemOf(name);
  return (
    <Notice title={title}>
      <p class={title.startsWith('Wrong') ? 'problem' : ''} role="alert">
        {text}
      </p>
      {isPrivateName(name) ? <SecretForm inbox={name} /> : <ApiKeyForm />}
    </Notice>
  );
}

/** Whether the caller may not read the mail. Those who may not list all mail get the answer for an unknown path. */
export function isRefusal(error: Error | null): boolean {
  return error instanceof MayflyAuthError || error instanceof MayflyGoneError;
}

function SecretForm({ inbox }: { inbox: string }) {
  const open = (secret: string) => {
    keepSecret(inbox, secret);
    restart();
  };
  return <CredentialForm label="Secret of the inbox" action="Open the inbox" onEnter={open} />;
}
