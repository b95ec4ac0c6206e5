import type { MayflyResponseError } from 'mayfly-client';
import { isPassing, pauseMs, retried } from 'mayfly-client/retry';
import { useReducer, useRef, useState } from 'preact/hooks';
import { pause, useUntil } from '../ui/until.js';
import { type Box, type BoxEvent, boxAfter, EMPTY_BOX, type Listed, newestTime } from './box.js';
import type { Mail } from './mail.js';
import { Pace } from './pace.js';
import type { Source } from './sources.js';
import { useWatching } from './use-watching.js';

/** The size of the first page: more emails than any screen shows. */
const FIRST_PAGE = 100;

/** The newest emails are requested at most once in this time, so that a flood of mail costs few requests. */
const LIST_LIMIT = { count: 1, windowMs: 500 };

/** Maximum number of pages that one list requests to reach the known emails. After more mail, the list starts anew. */
const MAX_LIST_PAGES = 10;

/** The list shows only as many sizes of pages, because browsers limit the height of an element. */
const MAX_OUTLINED = 500_000;

/** Minimum pause between two requests for the size of the same page. */
const SIZE_GAP_MS = 5_000;

const TYPING_MS = 250;

export type Connection = 'connecting' | 'live' | 'away' | 'limited' | 'resting';

/** A list of emails, and the connection that keeps it up to date. */
export interface Feed {
  readonly connection: Connection;
  readonly box: Box;
  /** Why the list cannot be read. */
  readonly error: Error | null;
  tell(event: BoxEvent): void;
  /** Reconnects now. */
  retry(): void;
  /** Lists the emails of a page. */
  readOn(cursor: string): void;
}

/** Sends a request until it succeeds. */
type Ask = <T>(request: () => Promise<T>) => Promise<T>;

/** The emails of a source, or the matches of a search. Requests nothing unless `isOn`. */
export function useFeed(source: Source, isOn = true, search = ''): Feed {
  const [box, tell] = useReducer(boxAfter, EMPTY_BOX);
  const [state, setState] = useState<Connection>('connecting');
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [wanted, setWanted] = useState('');
  const isWatching = useWatching();
  const newest = useRef(0);
  newest.current = box.search === search ? newestTime(box) : Number.NEGATIVE_INFINITY;
  const sized = useRef({ cursor: '', at: 0 });

  const useRequests = (inputs: readonly unknown[], act: (ask: Ask, signal: AbortSignal) => Promise<void>) =>
    useUntil([source, isOn && isWatching, attempt, ...inputs], (signal, end) => {
      if (!isOn || !isWatching) return;
      const ask: Ask = (request) =>
        retried(signal, async () => {
          try {
            const answer = await request();
            signal.throwIfAborted();
            setState('live');
            return answer;
          } catch (error) {
            const isLimited = (error as Partial<MayflyResponseError>).status === 429;
            if (!signal.aborted && isPassing(error)) setState(isLimited ? 'limited' : 'away');
            throw error;
          }
        });
      act(ask, signal).catch((reason: Error) => {
        if (signal.aborted) return;
        end();
        setError(reason);
      });
    });

  useRequests([search], async (ask, signal) => {
    setError(null);
    if (box.mails !== null && search !== box.search) await pause(TYPING_MS, signal);
    const onAway = () => setState('away');
    await follow({ source, search, ask, signal, tell, onAway, newest: () => newest.current });
  });
  const { pages } = box;
  const isSmall = pages.reduce((sum, { count }) => sum + count, 0) < MAX_OUTLINED;
  const { outline } = source;
  const isSizing = outline !== undefined && box.search === '' && isSmall;
  const unsized = isSizing ? pages.find(({ isSized }) => !isSized)?.cursor : undefined;
  useRequests([unsized], async (ask, signal) => {
    if (unsized === undefined || outline === undefined) return;
    const { cursor, at } = sized.current;
    if (cursor === unsized) await pause(at + SIZE_GAP_MS - performance.now(), signal);
    sized.current = { cursor: unsized, at: performance.now() };
    tell({ type: 'outline', cursor: unsized, ...(await ask(() => outline(unsized, signal))) });
  });
  // While the size of a page is requested, it may become another page.
  const isWanted = (cursor: string) => (source.isWhole || cursor === wanted) && cursor !== unsized;
  const reading = pages.find(({ cursor, keys }) => keys === null && isWanted(cursor))?.cursor;
  useRequests([reading, box.search], async (ask, signal) => {
    if (reading === undefined) return;
    const page = await ask(() => source.page(source.pageSize, reading, box.search, signal));
    tell({ type: 'page', cursor: reading, isKept: source.isWhole, ...page });
  });

  const readOn = (cursor: string) => {
    if (reading === undefined) setWanted(cursor);
  };
  const retry = () => setAttempt((last) => last + 1);
  useUntil([], (signal) => {
    // Also checks the service when offline, because a service on this machine stays reachable without a network.
    addEventListener('offline', retry, { signal });
    addEventListener('online', retry, { signal });
  });
  return { connection: isWatching ? state : 'resting', box, error, tell, retry, readOn };
}

interface Following {
  readonly source: Source;
  readonly search: string;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  tell(event: BoxEvent): void;
  /** The time of the newest known match; `-Infinity` without any. */
  newest(): number;
  onAway(): void;
}

/** Follows a source until the signal is aborted, then rejects. A permanent error rejects earlier. */
async function follow(following: Following): Promise<never> {
  const { source, search, signal, tell, newest, onAway } = following;
  const pace = new Pace(LIST_LIMIT, 1);
  /** New emails that arrived while a list was requested. The list may lack them. */
  const since: Mail[] = [];
  let isListing = false;
  let mustList = false;
  const list = async () => {
    mustList = true;
    if (isListing) return;
    isListing = true;
    try {
      while (mustList) {
        await pace.turn(signal);
        mustList = false;
        tell({ type: 'listed', search, ...(await newestOf(following)) });
        tell({ type: 'came', mails: since.splice(0) });
      }
    } finally {
      isListing = false;
    }
  };
  const hear = (mails: readonly Mail[] | null) => {
    // A new email may not match a search. The next list, after the stream, meets the same error.
    if (mails === null || search !== '') list().catch(() => {});
    else if (isListing) since.push(...mails);
    else tell({ type: 'came', mails });
  };
  for (let failures = 0; ; ) {
    // Also finds what a stream does not report, and polls without a working stream.
    await list();
    const isHeard = await source.follow(newest(), hear, signal).catch((error: unknown) => {
      if (signal.aborted || !isPassing(error)) throw error;
      onAway();
      return false;
    });
    failures = isHeard ? 0 : failures + 1;
    if (!isHeard) await pause(pauseMs(failures, null), signal);
  }
}

/** Lists the newest emails, back to a known one, so that no email between the two is missing. */
async function newestOf({ source, search, newest, ask, signal }: Following): Promise<Listed> {
  const known = newest();
  const mails: Mail[] = [];
  for (let next: string | null = null, pages = 1; ; pages += 1) {
    const [limit, cursor]: [number, string | null] = [next === null ? FIRST_PAGE : source.pageSize, next];
    const page: Listed = await ask(() => source.page(limit, cursor, search, signal));
    mails.push(...page.mails);
    next = page.next;
    const isReached = (mails.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY) <= known;
    if (next === null || isReached || known < 0 || pages === MAX_LIST_PAGES) return { mails, next };
  }
}
