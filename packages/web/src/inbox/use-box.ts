import { useMemo, useReducer, useState } from 'preact/hooks';
import { type Reach, Service } from '../service.js';
import { useUntil } from '../ui/until.js';
import { type Box, type BoxEvent, boxAfter, EMPTY_BOX } from './box.js';
import { useDeletions } from './deletion.js';
import { Feed } from './feed.js';
import { Pace } from './pace.js';
import { useWatching } from './use-watching.js';

/** Lists of older emails: a quarter of the standard fetch limit. */
const LIST_LIMIT = { count: 5, windowMs: 10_000 };

/** How the page stands to the service. */
export type Connection = 'connecting' | 'live' | 'away' | 'limited' | 'resting';

/** One inbox as the page sees it. */
export interface InboxFeed {
  readonly service: Service;
  readonly connection: Connection;
  readonly box: Box;
  /** What keeps the inbox from being read, and trying again does not mend. */
  readonly error: Error | null;
  tell(event: BoxEvent): void;
  /** Begins to follow the inbox anew, at once. */
  retry(): void;
}

/** Follows an inbox for as long as it may (see `useWatching`). */
export function useBox(name: string, apiKey: string, secret: string | null): InboxFeed {
  const [reach, setReach] = useState<Reach>('answered');
  const [box, tell] = useReducer(boxAfter, EMPTY_BOX);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isWatching = useWatching();
  const { service, feed } = useMemo(() => {
    const service = new Service(apiKey, secret);
    const inbox = service.inbox(name, setReach);
    return { service, feed: new Feed(inbox, new Pace(LIST_LIMIT, 1), tell, () => setReach('away')) };
  }, [name, apiKey, secret]);

  useUntil([feed, isWatching, attempt], (signal, end) => {
    if (!isWatching) return;
    setError(null);
    feed.run(signal).catch((reason: Error) => {
      if (signal.aborted) return;
      end();
      setError(reason);
    });
  });

  const retry = () => setAttempt((last) => last + 1);
  useUntil([], (signal) => {
    // A request tells at once whether the network matters: a service on this machine answers without one.
    addEventListener('offline', retry, { signal });
    addEventListener('online', retry, { signal });
  });
  useDeletions(service, name, tell, retry);

  const connection = connectionOf(reach, box, isWatching);
  return { service, connection, box, error, tell, retry };
}

/** Nothing is live before something has been listed. */
function connectionOf(reach: Reach, { mails }: Box, isWatching: boolean): Connection {
  if (!isWatching) return 'resting';
  if (reach !== 'answered') return reach;
  return mails === null ? 'connecting' : 'live';
}
