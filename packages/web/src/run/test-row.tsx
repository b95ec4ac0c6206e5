import type { EmailSummary, RunHidden, RunInbox, RunTest } from 'mayfly-client';
import { mailOf, senderOf, subjectOf } from '../inbox/mail.js';
import { Sign } from '../inbox/mail-list.js';
import { pagePath } from '../service.js';
import { CopyButton } from '../ui/copy.js';
import { timeOfDay } from '../ui/time.js';
import { Visible } from '../ui/visible.js';

interface TestRowProps {
  readonly test: RunTest;
  readonly isChosen: boolean;
  /** Whether the first mail of the test has expired. */
  readonly isPast: boolean;
}

const HIDDEN: Readonly<Record<RunHidden, string>> = {
  'key-needed': 'Not shown without the key or the credentials of its workspace.',
  'not-readable': 'Not shown: private, or not open to the client that reported the test.',
  'too-many-names': 'Not shown: too many names were looked up from your address.',
};

/** A test with its outcome, its error, and the mail in its inboxes. */
export function TestRow({ test: { id, title, outcome, error, waits, inboxes }, isChosen, isPast }: TestRowProps) {
  // The error of a test usually includes that of its last wait.
  const others = waits.map(({ text }) => text).filter((text) => !error?.includes(text));
  const none = isPast ? 'No email is left.' : outcome === 'running' ? 'No email yet.' : 'No email came.';
  return (
    <tr id={id} class={isChosen ? 'run-chosen' : ''}>
      <td>
        <span class="tag" data-outcome={outcome}>
          {outcome}
        </span>
      </td>
      <td>
        <Visible text={title} />
        {[...others, error].map(
          (text) =>
            text && (
              <p key={text} class="run-reason soft text-14">
                <Visible text={text} />
              </p>
            ),
        )}
      </td>
      <td>
        {inboxes.map((inbox) => (
          <Inbox key={inbox.to} inbox={inbox} none={none} />
        ))}
      </td>
    </tr>
  );
}

function Inbox({ inbox: { to, emails, hidden }, none }: { inbox: RunInbox; none: string }) {
  const path = pagePath(to);
  return (
    <>
      <a class="run-inbox" href={path}>
        <Visible text={to} />
      </a>
      {emails === null && <p class="hint">{hidden && HIDDEN[hidden]}</p>}
      {emails?.length === 0 && <p class="warning">{none}</p>}
      <ul>
        {emails?.map((email) => (
          <Email key={email.receivedAt} email={email} path={path} />
        ))}
      </ul>
    </>
  );
}

function Email({ email, path }: { email: EmailSummary; path: string }) {
  const { key, code, action, receivedAt, ...mail } = mailOf(email);
  return (
    <li>
      <a href={`${path}#${key}`}>
        <Visible text={subjectOf(mail)} />
      </a>{' '}
      {code !== null && (
        <CopyButton class="chip" text={code} what={`code ${code}`}>
          {code}
        </CopyButton>
      )}{' '}
      {action && <Sign icon="link" text="Link" />}{' '}
      <span class="hint">
        <Visible text={senderOf(mail)} />, {timeOfDay(receivedAt)}
      </span>
    </li>
  );
}
