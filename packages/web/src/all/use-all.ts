import { useMemo, useReducer, useState } from 'preact/hooks';
import { useExpiry } from '../inbox/use-news.js';
import { useWatching } from '../inbox/use-watching.js';
import type { Service } from '../service.js';
import { later, useUntil } from '../ui/until.js';
import { AllFeed, type Following } from './all-feed.js';
import { NO_ROWS, type Rows, rowsAfter } from './rows.js';

/** How long the user must have stopped typing before the service is asked. */
const TYPING_MS = 250;

interface All extends Rows {
  readonly following: Following | 'resting';
  /** What keeps the list from being read, and trying again does not mend. */
  readonly error: Error | null;
  /** Lists what is older, if anything is. */
  readOn(): void;
}

/** All mail, or what matches a search, for as long as this tab may follow it (see `useWatching`). */
export function useAll(service: Service, search: string, expired: number): All {
  const [state, tell] = useReducer(rowsAfter, NO_ROWS);
  const [following, setFollowing] = useState<Following>('connecting');
  const [error, setError] = useState<Error | null>(null);
  const isWatching = useWatching();
  const feed = useMemo(() => new AllFeed({ service, tell, follows: setFollowing }), [service]);
  const text = search.trim();

  const follow = (signal: AbortSignal, done: Promise<void>) =>
    done.catch((reason: Error) => {
      if (!signal.aborted) setError(reason);
    });
  useUntil([feed, isWatching], (signal) => isWatching && follow(signal, feed.run(signal)));
  useUntil([feed, text], (signal) => later(TYPING_MS, signal, () => follow(signal, feed.search(text, signal))));
  useExpiry(state.rows, expired, tell);
  const readOn = () => {
    const { next } = state;
    const { signal } = new AbortController();
    if (next !== null) follow(signal, feed.readOn(next, signal));
  };
  return { ...state, following: isWatching ? following : 'resting', error, readOn };
}
