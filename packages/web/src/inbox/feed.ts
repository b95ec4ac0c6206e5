import type { MayflyResponseError } from 'mayfly-client';
import { isPassing, pauseMs, retried } from 'mayfly-client/retry';
import { useReducer, useRef, useState } from 'preact/hooks';
import { pause, useUntil } from '../ui/until.js';
import { type Box, type BoxEvent, boxAfter, EMPTY_BOX, type Listed, newestOf } from './box.js';
import type { Connection } from './connection.js';
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
  newest.current = box.search === search ? newestOf(box) : Number.NEGATIVE_INFINITY;
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
    await new Following({
      ...{ source, search, ask, signal, tell },
      newest: () => newest.current,
      onAway: () => setState('away'),
    }).run();
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

interface FollowingOptions {
  readonly source: Source;
  readonly search: string;
  readonly ask: Ask;
  readonly signal: AbortSignal;
  tell(event: BoxEvent): void;
  /** The time of the newest known match; `-Infinity` without any. */
  newest(): number;
  onAway(): void;
}

/** Follows a source. If a search is active, lists the newest matches after each new email, as it may not match. */
class Following {
  readonly #options: FollowingOptions;
  readonly #pace = new Pace(LIST_LIMIT, 1);
  /** New emails that arrived while a list was requested. The list may lack them. */
  #since: Mail[] = [];
  #isListing = false;
  #mustList = false;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** Runs until the signal is aborted, then rejects. A permanent error rejects earlier. */
  async run(): Promise<never> {
    const { source, newest, onAway, signal } = this.#options;
    for (let failures = 0; ; ) {
      // Also finds what a stream does not report, and polls without a working stream.
      await this.#list();
      const isHeard = await source
        .follow(newest(), (mails) => this.#hear(mails), signal)
        .catch((error: unknown) => {
          if (signal.aborted || !isPassing(error)) throw error;
          onAway();
          return false;
        });
      failures = isHeard ? 0 : failures + 1;
      if (!isHeard) await pause(pauseMs(failures, null), signal);
    }
  }

  #hear(mails: readonly Mail[] | null): void {
    // The next list, after the stream, meets the same error.
    if (mails === null || this.#options.search !== '') this.#list().catch(() => {});
    else if (this.#isListing) this.#since.push(...mails);
    else this.#options.tell({ type: 'came', mails });
  }

  async #list(): Promise<void> {
    const { search, signal, tell } = this.#options;
    this.#mustList = true;
    if (this.#isListing) return;
    this.#isListing = true;
    try {
      while (this.#mustList) {
        await this.#pace.turn(signal);
        this.#mustList = false;
        tell({ type: 'listed', search, ...(await this.#newest()) });
        tell({ type: 'came', mails: this.#since.splice(0) });
      }
    } finally {
      this.#isListing = false;
    }
  }

  /** The newest emails, back to a known one, so that no email between the two is missing. */
  async #newest(): Promise<Listed> {
    const { source, search, newest, ask, signal } = this.#options;
    const known = newest();
    const mails: Mail[] = [];
    for (let next: string | null = null, pages = 1; ; pages += 1) {
      const cursor: string | null = next;
      const page: Listed = await ask(() =>
        source.page(cursor === null ? FIRST_PAGE : source.pageSize, cursor, search, signal),
      );
      mails.push(...page.mails);
      next = page.next;
      const isReached = (mails.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY) <= known;
      if (next === null || isReached || known < 0 || pages === MAX_LIST_PAGES) return { mails, next };
    }
  }
}
