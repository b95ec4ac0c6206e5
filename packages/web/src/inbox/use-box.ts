import { useMemo, useReducer, useState } from 'preact/hooks';
import { inboxApi, type Reach } from '../service.js';
import { useUntil } from '../ui/until.js';
import { type Box, type BoxEvent, boxAfter, EMPTY_BOX } from './box.js';
import type { Connection } from './connection.js';
import { useDeletions } from './deletion.js';
import { Feed } from './feed.js';
import { Pace } from './pace.js';
import { useWatching } from './use-watching.js';

/** For lists of older emails: a quarter of the standard fetch limit. */
const LIST_LIMIT = { count: 5, windowMs: 10_000 };

export interface InboxFeed {
  readonly connection: Connection;
  readonly box: Box;
  /** Why the inbox cannot be read. */
  readonly error: Error | null;
  tell(event: BoxEvent): void;
  /** Reconnects now. */
  retry(): void;
}

/** Follows an inbox while this tab may (see `useWatching`). */
export function useBox(name: string): InboxFeed {
  const [reach, setReach] = useState<Reach>('answered');
  const [box, tell] = useReducer(boxAfter, EMPTY_BOX);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isWatching = useWatching();
  const feed = useMemo(
    () => new Feed(inboxApi(name, setReach), new Pace(LIST_LIMIT, 1), tell, () => setReach('away')),
    [name],
  );

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
    // A service on this machine answers without a network, so only a request shows whether it is reachable.
    addEventListener('offline', retry, { signal });
    addEventListener('online', retry, { signal });
  });
  useDeletions(name, tell, retry);

  const connection = connectionOf(reach, box, isWatching);
  return { connection, box, error, tell, retry };
}

function connectionOf(reach: Reach, { mails }: Box, isWatching: boolean): Connection {
  if (!isWatching) return 'resting';
  if (reach !== 'answered') return reach;
  return mails === null ? 'connecting' : 'live';
}
