import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { useWatching } from '../inbox/use-watching.js';
import type { Service } from '../service.js';
import { AllFeed, type Following } from './all-feed.js';
import { NO_ROWS, type Rows, rowsAfter } from './rows.js';

/** How long the user must have stopped typing before the service is asked. */
const TYPING_MS = 250;

export interface All extends Rows {
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

  const follow = (begin: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController();
    const { signal } = controller;
    begin(signal).catch((reason: Error) => {
      if (!signal.aborted) setError(reason);
    });
    return () => controller.abort();
  };
  useEffect(() => (isWatching ? follow((signal) => feed.run(signal)) : undefined), [feed, isWatching]);
  useEffect(() => {
    let end = () => {};
    const timer = setTimeout(() => {
      end = follow((signal) => feed.search(text, signal));
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [feed, text]);

  const isStale = (state.rows?.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY) <= expired;
  useEffect(() => {
    if (isStale) tell({ type: 'expired', upTo: expired });
  }, [isStale, expired]);

  const readOn = () => {
    const { next } = state;
    if (next !== null) follow((signal) => feed.readOn(next, signal));
  };
  return { ...state, following: isWatching ? following : 'resting', error, readOn };
}
