import type { Attempt } from 'mayfly-client';
import { announce } from '../ui/announce.js';
import { exact } from '../ui/time.js';
import { useAttempts } from './use-attempts.js';
import type { InboxFeed } from './use-box.js';

/** What became of attempts that were neither kept nor refused. */
const ENDINGS: Readonly<Record<string, string>> = {
  'mail-lost': 'Broke off in the middle of the mail',
  'no-data': 'Ended before the mail was sent',
};

/** The attempts to send mail to an inbox, newest first. The newest one in vain is told without opening them. */
export function Attempts({ name, feed }: { name: string; feed: InboxFeed }) {
  const attempts = useAttempts(feed.service, name, (refused) => announce(`${textOf(refused)}.`));
  if (attempts.length === 0) return null;
  const lost = attempts.filter(({ outcome }) => outcome !== 'kept');
  const [newest] = lost;
  return (
    <details class="attempts">
      <summary>
        {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`} to send mail here
        {newest && <span class="problem">{` · ${lost.length} in vain · ${textOf(newest)}`}</span>}
      </summary>
      <ol>
        {attempts.map((attempt, at) => (
          <li key={`${attempt.at} ${at}`}>
            <time dateTime={attempt.at}>{exact(Date.parse(attempt.at))}</time> {lineOf(attempt)}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** What became of an attempt. */
function textOf({ outcome, error, stages: { kept, handedOut } }: Attempt): string {
  if (error !== null) return `Refused: ${[error.code, error.enhanced, error.text].filter(Boolean).join(' ')}`;
  if (outcome !== 'kept') return ENDINGS[outcome] ?? outcome;
  return `Kept after ${kept} ms${handedOut === null ? '' : `, given to a client after ${handedOut} ms`}`;
}

function lineOf(attempt: Attempt): string {
  const { way, client, from, to } = attempt;
  return `${textOf(attempt)} · ${way === 'smtp' ? 'SMTP' : way} from ${client}: ${from || '<>'} → ${to}`;
}
