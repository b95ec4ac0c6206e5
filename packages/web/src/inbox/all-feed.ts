import type { AllEmailsResponse, ListedEmail, OutlineResponse } from 'mayfly-client';
import { isPassing, pauseMs, retried } from 'mayfly-client/retry';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { ask } from '../service.js';
import { later, pause, useUntil } from '../ui/until.js';
import { type BoxEvent, boxAfter, emptyBox } from './box.js';
import type { Connection } from './connection.js';
import { type Mail, mailOf } from './mail.js';
import type { Feed } from './use-box.js';
import { useWatching } from './use-watching.js';

/** Maximum number of emails that the page keeps (the newest ones). They take about 80 MB of memory. */
const MAX_ROWS = 100_000;

function rowOf(email: ListedEmail): Mail {
  return { ...mailOf(email), key: `${email.receivedAt}/${email.inbox}` };
}

const FIRST_PAGE = 100;
const PAGE = 500;

/** The list shows only as many sizes of pages, because browsers limit the height of an element. */
const MAX_OUTLINED = 500_000;

/** Minimum pause between two requests for the size of the same page. */
const SIZE_GAP_MS = 5_000;

/** Minimum pause between two requests for the list. */
const GAP_MS = 500;

/** The stream has a heartbeat every ten seconds. After twice as long without one, the service counts as away. */
const SILENCE_MS = 20_000;

const TYPING_MS = 250;

/** All mail, or the matches of a search. Follows nothing for those who may not list all mail. */
export function useAll(text: string, mayList: boolean): Feed {
  const [box, tell] = useReducer(boxAfter, emptyBox(MAX_ROWS));
  const [following, setFollowing] = useState<Connection>('connecting');
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const isWatching = useWatching();
  const feed = useMemo(() => new AllFeed(text, tell, setFollowing), []);

  const follow = (signal: AbortSignal, done: Promise<void>) =>
    done.catch((reason: Error) => {
      if (!signal.aborted) setError(reason);
    });
  useUntil([isWatching, mayList, attempt], (signal) => {
    if (isWatching && mayList) follow(signal, feed.run(signal));
  });
  useUntil([text], (signal) => later(TYPING_MS, signal, () => follow(signal, feed.search(text, signal))));
  // New emails are marked until the user leaves the tab.
  useUntil([], (signal) => {
    const leave = () => document.hidden && tell({ type: 'seen' });
    document.addEventListener('visibilitychange', leave, { signal });
  });
  const { pages } = box;
  const isSmall = pages.reduce((sum, { count }) => sum + count, 0) < MAX_OUTLINED;
  const unsized = isSmall && box.search === '' ? pages.find(({ isSized }) => !isSized)?.cursor : undefined;
  useUntil([unsized, isWatching], (signal) => {
    if (unsized !== undefined && isWatching) follow(signal, feed.outline(unsized, signal));
  });
  const readOn = (cursor: string) => {
    // The size of the page is being requested, and then the page may be another one.
    if (cursor === unsized) return;
    const { signal } = new AbortController();
    follow(signal, feed.readOn(cursor, signal));
  };
  const retry = () => {
    setError(null);
    setAttempt((last) => last + 1);
  };
  return { box, tell, connection: isWatching ? following : 'resting', error, readOn, retry };
}

/**
 * Follows all mail. A stream sends each new email. If a search is active, or if the stream reports a change without the
 * email, lists the newest emails again instead.
 */
class AllFeed {
  readonly #tell: (event: BoxEvent) => void;
  readonly #onState: (state: Connection) => void;
  #search: string;
  /** New emails that arrived while a list was requested. The list may lack them. */
  #since: ListedEmail[] = [];
  /** The search of the last list. */
  #listed: string;
  #isListing = false;
  #mustList = false;
  #isReadingOn = false;
  /** The last page whose size was requested. */
  #sized = { cursor: '', at: 0 };

  constructor(search: string, tell: (event: BoxEvent) => void, onState: (state: Connection) => void) {
    this.#search = search;
    this.#listed = search;
    this.#tell = tell;
    this.#onState = onState;
  }

  /** Runs until the signal is aborted, then rejects. A permanent error rejects earlier. */
  async run(signal: AbortSignal): Promise<never> {
    for (let failures = 0; ; failures++) {
      try {
        await this.#follow(signal, () => {
          failures = 0;
        });
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        this.#onState('away');
      }
      await pause(pauseMs(failures + 1, null), signal);
    }
  }

  /** From now on, lists only the matches of a search. */
  async search(text: string, signal: AbortSignal): Promise<void> {
    if (text === this.#search && text === this.#listed) return;
    this.#search = text;
    await this.#list(signal);
  }

  /** Requests the sizes of the pages from a cursor on. */
  async outline(cursor: string, signal: AbortSignal): Promise<void> {
    if (this.#sized.cursor === cursor) await pause(this.#sized.at + SIZE_GAP_MS - performance.now(), signal);
    this.#sized = { cursor, at: performance.now() };
    const asked = async () => (await ask(`/api/emails/outline?source=browser&cursor=${cursor}`, signal)).json();
    const { pages, next }: OutlineResponse = await retried(signal, asked);
    const sized = pages.map((page) => {
      return { ...page, cursor: page.cursor ?? cursor, oldest: Date.parse(page.oldest), keys: null, isSized: true };
    });
    this.#tell({ type: 'outline', cursor, pages: sized, next });
  }

  /** Lists the emails of a page, one page at a time. */
  async readOn(cursor: string, signal: AbortSignal): Promise<void> {
    if (this.#isReadingOn || this.#search !== this.#listed) return;
    this.#isReadingOn = true;
    const search = this.#search;
    try {
      const { emails, next } = await this.#page(PAGE, cursor, signal);
      if (search === this.#search) this.#tell({ type: 'page', cursor, mails: emails.map(rowOf), next });
    } finally {
      this.#isReadingOn = false;
    }
  }

  /** Follows the stream. Resolves when it ends, or the service falls silent. */
  async #follow(signal: AbortSignal, connected: () => void): Promise<void> {
    const own = new AbortController();
    const end = () => own.abort();
    signal.addEventListener('abort', end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const { body } = await ask('/api/emails/stream', own.signal);
      const reader = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        const lines = (rest + value).split('\n');
        rest = lines.pop() ?? '';
        if (lines.includes(': connected')) {
          connected();
          await this.#list(signal);
          this.#onState('live');
        }
        this.#hear(lines, signal);
      }
    } catch (error) {
      if (isPassing(error) || !(own.signal.aborted || error instanceof TypeError)) throw error;
      this.#onState('away');
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
    }
  }

  #hear(lines: readonly string[], signal: AbortSignal): void {
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
    const events = data.map((event): Partial<ListedEmail> => JSON.parse(event));
    const came = events.filter((event): event is ListedEmail => event.inbox !== undefined);
    if (this.#search !== '' ? events.length > 0 : events.length > came.length) this.#list(signal).catch(() => {});
    if (this.#search !== '' || came.length === 0) return;
    if (this.#isListing) this.#since.push(...came);
    else this.#tell({ type: 'came', mails: came.map(rowOf) });
  }

  async #list(signal: AbortSignal): Promise<void> {
    this.#mustList = true;
    if (this.#isListing) return;
    this.#isListing = true;
    try {
      while (this.#mustList) {
        this.#mustList = false;
        const search = this.#search;
        const { emails, next } = await this.#page(FIRST_PAGE, null, signal);
        const isCurrent = search === this.#search;
        if (isCurrent) {
          this.#tell({ type: 'listed', mails: emails.map(rowOf), next, search });
          this.#listed = search;
        }
        // After a flood, older ones are on the pages after this list.
        const oldest = next === null ? '' : (emails.at(-1)?.receivedAt ?? '');
        const since = this.#since.filter(({ receivedAt }) => receivedAt >= oldest);
        if (isCurrent && search === '') this.#tell({ type: 'came', mails: since.map(rowOf) });
        this.#since = [];
        this.#mustList ||= !isCurrent;
        if (this.#mustList && isCurrent) await pause(GAP_MS, signal);
      }
    } finally {
      this.#isListing = false;
    }
  }

  #page(limit: number, cursor: string | null, signal: AbortSignal): Promise<AllEmailsResponse> {
    const query = new URLSearchParams({ limit: `${limit}`, source: 'browser' });
    if (cursor !== null) query.set('cursor', cursor);
    if (this.#search !== '') query.set('search', this.#search);
    return retried(signal, async () => (await ask(`/api/emails?${query}`, signal)).json());
  }
}
