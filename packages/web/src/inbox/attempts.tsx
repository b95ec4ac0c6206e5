import type { Attempt, InboxWait, WayOut } from 'mayfly-client';
import { waitedFor, whyNot } from 'mayfly-client/listed-wait';
import { announce } from '../ui/announce.js';
import { timeOfDay } from '../ui/time.js';
import { Visible } from '../ui/visible.js';
import { type Mail, subjectOf } from './mail.js';
import { useAttempts } from './use-attempts.js';
import type { InboxFeed } from './use-box.js';

/** So many emails are named of which each wait tells why it goes on, the newest. */
const MAX_EXPLAINED = 5;

/** What became of attempts that were neither kept nor refused. */
const ENDINGS: Readonly<Record<string, string>> = {
  'mail-lost': 'Broke off in the middle of the mail',
  'no-data': 'Ended before the mail was sent',
};

const WAYS: Readonly<Record<WayOut, string>> = {
  stream: 'a stream',
  page: 'a page',
  fetch: 'a fetch',
  mcp: 'an agent',
  'drop-in': 'a drop-in client',
};

/**
 * The timeline of an inbox: who waits for its mail, and the attempts to send some, newest first. The newest one in vain
 * is told without opening it.
 */
export function Attempts({ name, feed }: { name: string; feed: InboxFeed }) {
  const { attempts, waits } = useAttempts(feed.service, name, (refused) => announce(`${textOf(refused)}.`));
  // This page and others listen all the time.
  const waiting = waits.filter(({ way }) => way !== 'page');
  if (attempts.length + waiting.length === 0) return null;
  const lost = attempts.filter(({ outcome }) => outcome !== 'kept');
  const [newest] = lost;
  return (
    <section class="attempts" aria-label="Timeline">
      <details>
        <summary>
          {attempts.length === 0 ? 'No attempt' : count(attempts.length, 'attempt')} to send mail here
          {newest && <span class="problem">{` · ${lost.length} in vain · ${textOf(newest)}`}</span>}
          {waiting.length > 0 && ` · ${count(waiting.length, 'client')} waiting`}
        </summary>
        {waiting.length > 0 && (
          <ul aria-label="Waiting now">
            {waiting.map((wait, at) => (
              <Waiting key={`${wait.since} ${at}`} wait={wait} mails={feed.box.mails ?? []} />
            ))}
          </ul>
        )}
        <ol aria-label="Attempts to send mail">
          {attempts.map((attempt, at) => (
            <li key={`${attempt.at} ${at}`}>
              <time dateTime={attempt.at}>{timeOfDay(Date.parse(attempt.at))}</time> <Visible text={lineOf(attempt)} />
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

/** Who waits since when for what, and why none of the newest emails is that. */
function Waiting({ wait, mails }: { wait: InboxWait; mails: readonly Mail[] }) {
  const { since, way, client } = wait;
  return (
    <li>
      <time dateTime={since}>{timeOfDay(Date.parse(since))}</time>{' '}
      <Visible text={`Waiting: ${WAYS[way]} from ${addressOf(client)} for ${waitedFor(wait)}`} />
      {mails.length > 0 && (
        <ul class="attempts-reasons">
          {mails.slice(0, MAX_EXPLAINED).map((mail) => (
            <li key={mail.key}>
              <Visible text={subjectOf(mail)} />: {whyNot(wait, { ...mail, receivedAt: mail.key }).join(', ')}
            </li>
          ))}
          {mails.length > MAX_EXPLAINED && <li>and {mails.length - MAX_EXPLAINED} more</li>}
        </ul>
      )}
    </li>
  );
}

/** What became of an attempt. */
function textOf({ outcome, error, stages: { kept } }: Attempt): string {
  if (error !== null) return `Refused: ${[error.code, error.enhanced, error.text].filter(Boolean).join(' ')}`;
  return outcome === 'kept' ? `Kept after ${kept} ms` : (ENDINGS[outcome] ?? outcome);
}

function lineOf(attempt: Attempt): string {
  const { way, client, from, to, handed } = attempt;
  const given = handed.map((one) => `, given to ${WAYS[one.way]} of ${addressOf(one.client)} after ${one.ms} ms`);
  const source = `${way === 'smtp' ? 'SMTP' : way} from ${addressOf(client)}`;
  return `${textOf(attempt)}${given.join('')} · ${source}: ${from || '<>'} → ${to}`;
}

/** Addresses of others are not shown on a shared host. */
function addressOf(client: string | null): string {
  return client ?? 'another address';
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}
