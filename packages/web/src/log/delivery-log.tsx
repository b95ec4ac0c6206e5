import type { Attempt, InboxWait } from 'mayfly-client';
import { waitedFor, whyNot } from 'mayfly-client/listed-wait';
import { isPassing } from 'mayfly-client/retry';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Mail } from '../inbox/mail.js';
import { subjectOf } from '../inbox/mail.js';
import { type KnownLog, pagePath } from '../service.js';
import { Problem } from '../ui/announce.js';
import { Button, Choice } from '../ui/button.js';
import { Scroll } from '../ui/scroll.js';
import { exact, plural, span, timeOfDay } from '../ui/time.js';
import { useKeys } from '../ui/use-keys.js';
import { Visible } from '../ui/visible.js';
import { failureOf, type Log } from './use-log.js';
import { clientOf, codeOf, durationOf, isFailed, readerOf, replyOf, shortSpan, wordsOf } from './words.js';

export interface LogProps {
  readonly log: Log;
  /** Address of the inbox; empty for all inboxes. */
  readonly address: string;
  /** The emails of the inbox, to link delivery attempts to them. */
  readonly mails: readonly Mail[];
}

/** A button that opens the delivery log. */
export function LogButton({ log: { open, known } }: Pick<LogProps, 'log'>) {
  const waiting = known?.waits.length ?? 0;
  const label = waiting === 0 ? 'Delivery log' : `Delivery log ${waiting} waiting`;
  return (
    <Button class="button-quiet" icon="log" text="Delivery log" aria-label={label} onClick={open}>
      {waiting > 0 && <span class="tag not-phone digits">{` ${waiting} waiting`}</span>}
    </Button>
  );
}

/** The drawer with the delivery log. */
export function DeliveryLog(props: LogProps) {
  const { isOpen, open, close } = props.log;
  const drawer = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen) drawer.current?.showModal();
    else drawer.current?.close();
  }, [isOpen]);
  useKeys({ l: open });
  // The event fires later. By then, the user may have gone back and opened the log again.
  const closed = () => isOpen && drawer.current?.open === false && close();
  return (
    <dialog ref={drawer} class="drawer" aria-labelledby="log-title" closedby="any" onClose={closed}>
      <div class="drawer-head bar gap-12">
        <h2 id="log-title">Delivery log</h2>
        <p class="grow cut mono soft text-14">{props.address || 'all inboxes'}</p>
        <Button class="button-quiet" text="Close" onClick={() => close()} />
      </div>
      {isOpen && <LogTable {...props} />}
    </dialog>
  );
}

/** One line with the newest failure, which opens the delivery log. */
export function LastFailure({ log: { known, open } }: Pick<LogProps, 'log'>) {
  const failed = known?.attempts.filter(isFailed) ?? [];
  const [newest] = failed;
  if (newest === undefined) return null;
  return (
    <button type="button" class="last-failure bar text-14" onClick={open}>
      <span class="tag" data-tone="bad">
        {failed.length} failed
      </span>
      <Visible as="span" class="problem" text={failureOf(newest)} />
      <span class="last-failure-more push not-phone accent medium">Show the log</span>
    </button>
  );
}

/** Maximum number of emails for which the page explains why a wait does not match them. */
const MAX_EXPLAINED = 5;

/** Maximum number of delivery attempts that the service lists. */
const MAX_LISTED = 100;

/** How long Mayfly keeps delivery attempts. */
const KEPT = '30 minutes';

/** The waits of an inbox as cards, and its delivery attempts as a table, newest first. */
function LogTable({ log, address, mails }: LogProps) {
  const { known, error, isFailedOnly, filter } = log;
  const problem = error !== null && <Problem error={error} isPassing={isPassing(error)} />;
  if (known === null) return problem || <p class="wait">Loading the log…</p>;
  const { attempts, waits } = known;
  const failed = attempts.filter(isFailed);
  const shown = isFailedOnly ? failed : attempts;
  const rows = { address, mails, open: log.close };
  return (
    <Scroll label={`Delivery log of ${address || 'all inboxes'}`} class="drawer-body stack">
      {problem}
      <Notices known={known} />
      {waits.length > 0 && (
        <section class="stack" aria-labelledby="log-waits">
          <h3 id="log-waits">Waiting now</h3>
          <ul class="log-waits">
            {waits.map((wait, at) => (
              <WaitCard key={`${wait.since} ${at}`} now={known.now} {...{ wait, ...rows }} />
            ))}
          </ul>
        </section>
      )}
      <section class="stack" aria-labelledby="log-attempts">
        <div class="flow spread">
          <h3 id="log-attempts">Delivery attempts</h3>
          <Outcomes failed={failed.length} {...{ attempts, isFailedOnly, filter }} />
        </div>
        {shown.length === 0 ? (
          <p class="hint">
            {isFailedOnly
              ? `No delivery attempt failed in the last ${KEPT}.`
              : `No client ${address === '' ? 'connected' : 'tried to deliver mail to this inbox'} in the last ${KEPT}.`}
          </p>
        ) : (
          <Table attempts={shown} {...rows} />
        )}
      </section>
    </Scroll>
  );
}

interface OutcomesProps extends Pick<Log, 'isFailedOnly' | 'filter'> {
  readonly attempts: readonly Attempt[];
  readonly failed: number;
}

/** Chooses between all attempts and failures. Older failures may exist if the list of all attempts is full. */
function Outcomes({ attempts, failed, isFailedOnly, filter }: OutcomesProps) {
  const isWhole = attempts.length < MAX_LISTED;
  if (failed === 0 && isWhole && !isFailedOnly) return null;
  const labelOf = (isFailures: boolean) => {
    const name = isFailures ? 'Failed' : 'All';
    if (isFailures === isFailedOnly) return `${name} ${attempts.length}${isWhole ? '' : '+'}`;
    return isFailures && isWhole ? `${name} ${failed}` : name;
  };
  const options = [false, true];
  return <Choice legend="Shown delivery attempts" shown={isFailedOnly} onChoose={filter} {...{ options, labelOf }} />;
}

/** Where Mayfly accepts mail, and mail of this name that is elsewhere. */
function Notices({ known: { smtp, elsewhere, acrossSpaces } }: { known: KnownLog }) {
  const { port, domains, startTls } = smtp;
  const accepted = domains.includes('*') ? 'any domain' : domains.join(', ');
  return (
    <div class="text-14 soft">
      <p>
        SMTP on port {port} accepts mail for {accepted}. STARTTLS is {startTls ? '' : 'not '}offered.
      </p>
      {acrossSpaces > 0 && (
        <p class="log-hidden">
          {plural(acrossSpaces, 'delivery attempt')} not listed: either the sender or this page, but not both, uses an
          ad-hoc workspace.
        </p>
      )}
      {elsewhere.map(({ to, at }) => (
        <p key={to} class="log-elsewhere">
          Mail for this name also arrived at another domain, at {timeOfDay(Date.parse(at))}:{' '}
          <Visible as="a" href={pagePath(to)} text={to} />
        </p>
      ))}
    </div>
  );
}

interface RowProps extends Pick<LogProps, 'address' | 'mails'> {
  open(key: string): void;
}

/** A wait, and why each of the newest emails does not match it. */
function WaitCard({ wait, now, mails, open }: RowProps & { wait: InboxWait; now: string }) {
  return (
    <li class="boxed stack gap-4 text-14">
      <p class="bar spread">
        <Visible as="strong" text={readerOf(wait)} />
        <span class="soft digits">for {span(Math.max(0, Date.parse(now) - Date.parse(wait.since)))}</span>
      </p>
      <Visible as="p" text={`Waits for ${waitedFor(wait)}`} />
      {mails.length === 0 && <p class="soft">The inbox has no email.</p>}
      <ul class="stack gap-4">
        {mails.slice(0, MAX_EXPLAINED).map((mail) => (
          <li key={mail.key} class="log-mail">
            <MailLink {...{ mail, open }} />{' '}
            <Visible as="span" class="soft" text={whyNot(wait, { ...mail, receivedAt: mail.key }).join(', ')} />
          </li>
        ))}
        {mails.length > MAX_EXPLAINED && (
          <li class="soft">and {plural(mails.length - MAX_EXPLAINED, 'older email')}</li>
        )}
      </ul>
    </li>
  );
}

function MailLink({ mail, open }: Pick<RowProps, 'open'> & { mail: Mail }) {
  const choose = (event: MouseEvent) => {
    event.preventDefault();
    open(mail.key);
  };
  return (
    <Visible as="a" class="cut" href={`${location.pathname}#${mail.key}`} onClick={choose} text={subjectOf(mail)} />
  );
}

function Table({ attempts, ...rest }: RowProps & { attempts: readonly Attempt[] }) {
  return (
    <table class="log text-14" aria-labelledby="log-attempts">
      <thead>
        <tr>
          {['Time', 'Outcome', 'Sender', 'Reply', 'Duration', 'Delivered to'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt, at) => (
          // Counted from the end, because new attempts appear at the start.
          <Row key={attempts.length - at} {...{ attempt, ...rest }} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ attempt, address, mails, open }: RowProps & { attempt: Attempt }) {
  const { at, from, to, error, receivedAt, handed } = attempt;
  const { label, tone } = wordsOf(attempt);
  const time = Date.parse(at);
  const duration = durationOf(attempt);
  const mail = mails.find(({ key }) => key === receivedAt);
  return (
    <tr>
      <td class="digits">
        <time dateTime={at} title={exact(time)}>
          {timeOfDay(time)}
        </time>
      </td>
      <td>
        <span class="tag" data-tone={tone}>
          {label}
        </span>
      </td>
      <td>
        <Visible as="p" text={from || (from === null ? 'No sender' : 'Empty sender')} />
        {to !== null && to.toLowerCase() !== address.toLowerCase() && <Visible as="p" text={`to ${to}`} />}
        <Visible as="p" class="soft text-13" text={clientOf(attempt)} />
      </td>
      <td>
        {error !== null && <strong class="log-code problem">{`${codeOf(error)} `}</strong>}
        <Visible text={error?.text ?? replyOf(attempt)} />
        {mail && (
          <p class="log-mail">
            <MailLink {...{ mail, open }} />
          </p>
        )}
        {address === '' && to !== null && receivedAt !== null && (
          <p>
            <a href={`${pagePath(to)}#${receivedAt}`}>Open the email</a>
          </p>
        )}
      </td>
      <td class="log-duration digits">{duration !== null && shortSpan(duration)}</td>
      <td class="log-readers">
        {handed.length === 0 && receivedAt !== null && <span class="soft">No reader yet</span>}
        {handed.map((reader) => (
          <p key={reader.way}>
            <Visible text={readerOf(reader)} /> <span class="soft digits">after {shortSpan(reader.ms)}</span>
          </p>
        ))}
      </td>
    </tr>
  );
}
