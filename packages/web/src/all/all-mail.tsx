import type { ComponentChildren } from 'preact';
import { useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { ConnectionState } from '../inbox/connection.js';
import { useArrivals, useExpiry } from '../inbox/use-news.js';
import { useWatching } from '../inbox/use-watching.js';
import { wordsFor } from '../problem-words.js';
import type { KnownSettings } from '../settings.js';
import { useNow } from '../ui/time.js';
import { later, useUntil } from '../ui/until.js';
import { useKeys } from '../ui/use-keys.js';
import { AllFeed, type Following } from './all-feed.js';
import { AllList } from './all-list.js';
import { MAX_ROWS, NO_ROWS, rowsAfter } from './rows.js';

/** The pause in typing after which a search is sent. */
const TYPING_MS = 250;

export interface AllMailProps {
  readonly settings: KnownSettings;
  /** Shown while there is no mail. */
  readonly children: ComponentChildren;
  /** Shown if the caller may not read the list. */
  readonly refused?: ComponentChildren;
}

/** The list of all mail, and its search. */
export function AllMail({ settings, children, refused }: AllMailProps) {
  const now = useNow() + settings.clockOffsetMs;
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { rows, next, following, error, readOn } = useAll(search.trim(), now - settings.retentionMs);
  useArrivals(rows, ({ to, code }) => `New email to ${to}.${code === null ? '' : ` Code ${code}.`}`);
  useKeys({ '/': () => field.current?.focus() });

  if (error !== null) {
    if (refused) return <>{refused}</>;
    return (
      <p class="problem" role="alert">
        {wordsFor(error)}
      </p>
    );
  }
  const isEmpty = rows?.length === 0 && next === null;
  return (
    <div class="all column">
      <div class="search bar gap-12">
        <input
          ref={field}
          type="search"
          placeholder="Search all mail"
          aria-label="Search by recipient, sender, subject, text or code"
          maxLength={200}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
        />
        <span class="search-count soft text-14 digits">
          {rows !== null && `${rows.length.toLocaleString()}${next === null ? '' : '+'}`}
        </span>
        <ConnectionState connection={following} />
      </div>
      {isEmpty && (search.trim() === '' ? children : <p class="wait">No email matches.</p>)}
      {rows !== null && !isEmpty && <AllList {...{ rows, now, readOn }} />}
      {(rows?.length ?? 0) >= MAX_ROWS && (
        <p class="list-end soft text-13">The newest {MAX_ROWS.toLocaleString()} are listed. Search for older ones.</p>
      )}
    </div>
  );
}

/** Follows all mail, or the matches of a search, while `useWatching` allows it. */
function useAll(text: string, expired: number) {
  const [state, tell] = useReducer(rowsAfter, NO_ROWS);
  const [following, setFollowing] = useState<Following>('connecting');
  const [error, setError] = useState<Error | null>(null);
  const isWatching = useWatching();
  const feed = useMemo(() => new AllFeed({ tell, follows: setFollowing }), []);

  const follow = (signal: AbortSignal, done: Promise<void>) =>
    done.catch((reason: Error) => {
      if (!signal.aborted) setError(reason);
    });
  useUntil([feed, isWatching], (signal) => isWatching && follow(signal, feed.run(signal)));
  useUntil([feed, text], (signal) => later(TYPING_MS, signal, () => follow(signal, feed.search(text, signal))));
  useExpiry(state.rows, expired, tell);
  const readOn = () => {
    const { signal } = new AbortController();
    if (state.next !== null) follow(signal, feed.readOn(state.next, signal));
  };
  return { ...state, following: isWatching ? following : ('resting' as const), error, readOn };
}
