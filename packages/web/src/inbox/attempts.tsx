import type { Attempt, InboxAttempts, InboxWait, WayOut } from 'mayfly-client';
import { waitedFor, whyNot } from 'mayfly-client/listed-wait';
import { useRef, useState } from 'preact/hooks';
import type { Service } from '../service.js';
import { announce } from '../ui/announce.js';
import { timeOfDay } from '../ui/time.js';
import { repeat, useUntil } from '../ui/until.js';
import { Visible } from '../ui/visible.js';
import { type Mail, subjectOf } from './mail.js';
import type { InboxFeed } from './use-box.js';

/** How often a page that is seen asks, and how long it waits where it got no answer. */
const ASK_MS = 2_000;
const TROUBLE_MS = 10_000;

type Timeline = Pick<InboxAttempts, 'attempts' | 'waits'>;

const NOTHING: Timeline = { attempts: [], waits: [] };

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
  'drop-in': 'a compatibility API client',
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

/**
 * The attempts to send mail to an inbox and who waits for it, asked for again and again while the page is seen.
 * `onRefused` hears of each answer whose newest attempt is new and came to nothing. The feed tells what keeps them from
 * being read.
 */
function useAttempts(service: Service, name: string, onRefused: (attempt: Attempt) => void): Timeline {
  const [timeline, setTimeline] = useState(NOTHING);
  const told = useRef<string | null>(null);
  useUntil([service, name], (signal) =>
    repeat(signal, async () => {
      if (document.hidden) return ASK_MS;
      try {
        const { attempts: all, waits } = await service.inbox(name).attempts(signal);
        // What is not over has not come to nothing.
        const attempts = all.filter(({ outcome }) => outcome !== 'open');
        setTimeline({ attempts, waits });
        const newest = attempts.find(({ outcome }) => outcome !== 'kept');
        if (newest && told.current !== null && newest.at > told.current) onRefused(newest);
        told.current = newest?.at ?? told.current ?? '';
        return ASK_MS;
      } catch {
        return TROUBLE_MS;
      }
    }),
  );
  return timeline;
}
