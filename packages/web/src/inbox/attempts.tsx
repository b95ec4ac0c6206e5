import type { Attempt, InboxAttempts, InboxWait, WayOut } from 'mayfly-client';
import { waitedFor, whyNot } from 'mayfly-client/listed-wait';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { inboxApi } from '../service.js';
import { announce } from '../ui/announce.js';
import { plural, timeOfDay } from '../ui/time.js';
import { repeat, useUntil } from '../ui/until.js';
import { Visible } from '../ui/visible.js';
import { type Mail, subjectOf } from './mail.js';
import type { InboxFeed } from './use-box.js';

/** How often a visible page polls, and the pause after a failed poll. */
const ASK_MS = 2_000;
const TROUBLE_MS = 10_000;

/** Maximum number of emails for which the page explains why a wait does not match them. */
const MAX_EXPLAINED = 5;

const ENDINGS: Readonly<Record<string, string>> = {
  'mail-lost': 'The client disconnected in the middle of the message',
  'no-data': 'The client stopped before it sent the message',
};

const WAYS: Readonly<Record<WayOut, string>> = {
  stream: 'a stream',
  page: 'a page',
  fetch: 'a fetch',
  mcp: 'an agent',
  'drop-in': 'a compatibility API client',
};

/** The delivery attempts and active waits of an inbox, newest first. The summary shows the last failure. */
export function Attempts({ name, feed }: { name: string; feed: InboxFeed }) {
  const { attempts, waits } = useAttempts(name);
  // Open pages always wait for mail, so their waits are not listed.
  const waiting = waits.filter(({ way }) => way !== 'page');
  if (attempts.length + waiting.length === 0) return null;
  const lost = attempts.filter(({ outcome }) => outcome !== 'kept');
  const [newest] = lost;
  return (
    <section class="attempts text-14" aria-label="Timeline">
      <details>
        <summary>
          {attempts.length === 0 ? 'No delivery attempts' : plural(attempts.length, 'delivery attempt')}
          {newest && <span class="problem">{` · ${lost.length} failed · ${textOf(newest)}`}</span>}
          {waiting.length > 0 && ` · ${plural(waiting.length, 'client')} waiting`}
        </summary>
        {waiting.length > 0 && (
          <ul aria-label="Waiting now">
            {waiting.map((wait, at) => (
              <Waiting key={`${wait.since} ${at}`} wait={wait} mails={feed.box.mails ?? []} />
            ))}
          </ul>
        )}
        <ol aria-label="Delivery attempts">
          {attempts.map((attempt, at) => (
            <Entry key={`${attempt.at} ${at}`} at={attempt.at} text={lineOf(attempt)} />
          ))}
        </ol>
      </details>
    </section>
  );
}

function Entry({ at, text, children }: { at: string; text: string; children?: ComponentChildren }) {
  return (
    <li>
      <time dateTime={at}>{timeOfDay(Date.parse(at))}</time> <Visible text={text} />
      {children}
    </li>
  );
}

/** A wait, and why each of the newest emails does not match it. */
function Waiting({ wait, mails }: { wait: InboxWait; mails: readonly Mail[] }) {
  const { since, way, client } = wait;
  return (
    <Entry at={since} text={`Waiting: ${WAYS[way]} from ${addressOf(client)} for ${waitedFor(wait)}`}>
      {mails.length > 0 && (
        <ul class="soft">
          {mails.slice(0, MAX_EXPLAINED).map((mail) => (
            <li key={mail.key}>
              <Visible text={subjectOf(mail)} />: {whyNot(wait, { ...mail, receivedAt: mail.key }).join(', ')}
            </li>
          ))}
          {mails.length > MAX_EXPLAINED && <li>and {mails.length - MAX_EXPLAINED} more</li>}
        </ul>
      )}
    </Entry>
  );
}

function textOf({ outcome, error, stages: { kept } }: Attempt): string {
  if (error !== null) return `Refused: ${[error.code, error.enhanced, error.text].filter(Boolean).join(' ')}`;
  return outcome === 'kept' ? `Kept after ${kept} ms` : (ENDINGS[outcome] ?? outcome);
}

function lineOf(attempt: Attempt): string {
  const { way, client, from, to, handed } = attempt;
  const readers = handed.map(
    (one) => `, delivered to ${WAYS[one.way]} from ${addressOf(one.client)} after ${one.ms} ms`,
  );
  const source = `${way === 'smtp' ? 'SMTP' : way} from ${addressOf(client)}`;
  return `${textOf(attempt)}${readers.join('')} · ${source}: ${from || '<>'} → ${to}`;
}

/** The text for a client's IP address, which is null if a shared service hides it. */
function addressOf(client: string | null): string {
  return client ?? 'another address';
}

/** While the page is visible, polls delivery attempts and waits, and announces new failures. Ignores failed polls. */
function useAttempts(name: string) {
  const [timeline, setTimeline] = useState<Pick<InboxAttempts, 'attempts' | 'waits'>>({ attempts: [], waits: [] });
  const announced = useRef<string | null>(null);
  useUntil([name], (signal) =>
    repeat(signal, async () => {
      try {
        const { attempts: all, waits } = await inboxApi(name).attempts(signal);
        const attempts = all.filter(({ outcome }) => outcome !== 'open');
        setTimeline({ attempts, waits });
        const newest = attempts.find(({ outcome }) => outcome !== 'kept');
        if (newest && announced.current !== null && newest.at > announced.current) announce(`${textOf(newest)}.`);
        announced.current = newest?.at ?? announced.current ?? '';
        return ASK_MS;
      } catch {
        return TROUBLE_MS;
      }
    }),
  );
  return timeline;
}
