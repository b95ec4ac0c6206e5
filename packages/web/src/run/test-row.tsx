import type { EmailSummary, RunHidden, RunInbox, RunTest } from 'mayfly-client';
import { mailOf, senderOf, subjectOf } from '../inbox/mail.js';
import { Sign } from '../inbox/mail-row.js';
import { pagePath } from '../service.js';
import { CopyButton } from '../ui/copy.js';
import { timeOfDay } from '../ui/time.js';
import { Visible } from '../ui/visible.js';

interface TestRowProps {
  readonly test: RunTest;
  readonly isChosen: boolean;
  /** Whether its first mail would have expired by now. */
  readonly isPast: boolean;
}

const HIDDEN: Readonly<Record<RunHidden, string>> = {
  'key-needed': 'Not shown without the key of its workspace or space.',
  'not-readable': 'Not shown: private, or not open to the client that reported the test.',
  'too-many-names': 'Not shown: too many names were looked up from your address.',
};

/** One test: how it ended, why, and what came to its inboxes. */
export function TestRow({ test, isChosen, isPast }: TestRowProps) {
  const { id, title, outcome, error, waits, inboxes } = test;
  // The error of a test is mostly that of its last wait.
  const others = waits.filter(({ text }) => !error?.includes(text));
  return (
    <tr id={id} class={isChosen ? 'run-chosen' : ''}>
      <td>
        <span class="tag" data-outcome={outcome}>
          {outcome}
        </span>
      </td>
      <td>
        <Visible text={title} />
        {[...others.map(({ text }) => text), error].map((text) => text && <Reason key={text} text={text} />)}
      </td>
      <td>
        {inboxes.map((inbox) => (
          <Inbox key={inbox.to} inbox={inbox} isPast={isPast} isOver={outcome !== 'running'} />
        ))}
      </td>
    </tr>
  );
}

function Reason({ text }: { text: string }) {
  return (
    <p class="run-reason">
      <Visible text={text} />
    </p>
  );
}

interface InboxProps {
  readonly inbox: RunInbox;
  readonly isPast: boolean;
  /** Whether the test has ended. */
  readonly isOver: boolean;
}

function Inbox({ inbox: { to, emails, hidden }, isPast, isOver }: InboxProps) {
  const path = pagePath(to);
  return (
    <>
      <a class="run-inbox" href={path}>
        <Visible text={to} />
      </a>
      {emails === null && <p class="hint">{hidden && HIDDEN[hidden]}</p>}
      {emails?.length === 0 && (
        <p class="warning">{isPast ? 'No email is left.' : isOver ? 'No email came.' : 'No email yet.'}</p>
      )}
      <ul>
        {emails?.map((email) => (
          <Email key={email.receivedAt} email={email} path={path} />
        ))}
      </ul>
    </>
  );
}

function Email({ email, path }: { email: EmailSummary; path: string }) {
  const mail = mailOf(email);
  return (
    <li>
      <a href={`${path}#${mail.key}`}>
        <Visible text={subjectOf(mail)} />
      </a>{' '}
      {mail.code !== null && (
        <CopyButton class="chip" text={mail.code} what={`code ${mail.code}`}>
          {mail.code}
        </CopyButton>
      )}{' '}
      {mail.action && <Sign icon="link" text="Link" />}{' '}
      <span class="hint">
        <Visible text={senderOf(mail)} />, {timeOfDay(mail.receivedAt)}
      </span>
    </li>
  );
}
