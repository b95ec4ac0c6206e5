import type { AllEmailsResponse, ListedEmail } from 'mayfly-client';
import { isPassing, pauseMs, retried } from 'mayfly-client/retry';
import type { Service } from '../service.js';
import { pause } from '../ui/until.js';
import { type RowsEvent, rowOf } from './rows.js';

/** So many are listed first, and at once after that. */
const FIRST_PAGE = 100;
const PAGE = 500;

/** Lists of what changed are so far apart. */
const GAP_MS = 500;

/** The service says something every ten seconds: after twice as long it is away. */
const SILENCE_MS = 20_000;

/** How the page stands to the service. */
export type Following = 'connecting' | 'live' | 'away';

export interface AllFeedOptions {
  readonly service: Service;
  tell(event: RowsEvent): void;
  follows(state: Following): void;
}

/**
 * All mail as it comes. A stream tells of each new email; where it tells only that something changed, and while
 * something is searched, the newest are listed again.
 */
export class AllFeed {
  readonly #options: AllFeedOptions;
  #search = '';
  #isListing = false;
  #mustList = false;
  #isReadingOn = false;

  constructor(options: AllFeedOptions) {
    this.#options = options;
  }

  /** Until the signal is aborted. Rejects then, and with what trying again does not mend. */
  async run(signal: AbortSignal): Promise<never> {
    const { follows } = this.#options;
    for (let failures = 0; ; failures++) {
      try {
        await this.#follow(signal, () => {
          failures = 0;
        });
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        follows('away');
      }
      await pause(pauseMs(failures + 1, null), signal);
    }
  }

  /** Lists what matches from now on. Rejects as `run` does. */
  async search(text: string, signal: AbortSignal): Promise<void> {
    if (text === this.#search) return;
    this.#search = text;
    this.#options.tell({ type: 'anew' });
    await this.#list(signal);
  }

  /** Lists what is older, once at a time. */
  async readOn(cursor: string, signal: AbortSignal): Promise<void> {
    if (this.#isReadingOn) return;
    this.#isReadingOn = true;
    const search = this.#search;
    try {
      const { emails, next } = await this.#page(PAGE, cursor, signal);
      if (search === this.#search) this.#options.tell({ type: 'older', rows: emails.map(rowOf), next });
    } finally {
      this.#isReadingOn = false;
    }
  }

  /** Follows until the stream ends. Where the service falls silent, that is a network error. */
  async #follow(signal: AbortSignal, connected: () => void): Promise<void> {
    const own = new AbortController();
    const end = () => own.abort();
    signal.addEventListener('abort', end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const { body } = await this.#options.service.ask('/api/emails/stream', own.signal);
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
          this.#options.follows('live');
        }
        this.#hear(lines, signal);
      }
    } catch (error) {
      if (isPassing(error) || !(own.signal.aborted || error instanceof TypeError)) throw error;
      this.#options.follows('away');
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', end);
    }
  }

  #hear(lines: readonly string[], signal: AbortSignal): void {
    const events = lines
      .filter((line) => line.startsWith('data: '))
      .map((line): Partial<ListedEmail> => JSON.parse(line.slice('data: '.length)));
    const come = events.filter((event): event is ListedEmail => event.inbox !== undefined);
    if (this.#search === '' && come.length > 0) this.#options.tell({ type: 'came', rows: come.map(rowOf) });
    // What is searched may stand further down in the text than a summary goes.
    if (events.length > come.length || (this.#search !== '' && come.length > 0)) this.#list(signal).catch(() => {});
  }

  async #list(signal: AbortSignal): Promise<void> {
    this.#mustList = true;
    if (this.#isListing) return;
    this.#isListing = true;
    const { tell } = this.#options;
    try {
      while (this.#mustList) {
        this.#mustList = false;
        const search = this.#search;
        tell({ type: 'asked' });
        const { emails, next } = await this.#page(FIRST_PAGE, null, signal);
        if (search === this.#search) tell({ type: 'listed', rows: emails.map(rowOf), next });
        else this.#mustList = true;
        if (this.#mustList && search === this.#search) await pause(GAP_MS, signal);
      }
    } finally {
      this.#isListing = false;
    }
  }

  /** A page, asked for until it is there. */
  #page(limit: number, cursor: string | null, signal: AbortSignal): Promise<AllEmailsResponse> {
    const query = new URLSearchParams({ limit: `${limit}`, source: 'browser' });
    if (cursor !== null) query.set('cursor', cursor);
    if (this.#search !== '') query.set('search', this.#search);
    return retried(signal, async () => (await this.#options.service.ask(`/api/emails?${query}`, signal)).json());
  }
}
