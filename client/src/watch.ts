import { Deadline, sleep } from './deadline.js';
import type { ReceivedEmail } from './email.js';
import { type MayflyError, MayflyResponseError } from './errors.js';
import type { InboxApi } from './inbox-api.js';
import { isPassing, pauseMs, SHORTEST_STREAM_MS } from './retry.js';
import type { Found, Search } from './search.js';
import { queryOf, type Wanted } from './wanted.js';
import type { Email } from './wire.js';

/** After how long of silence a look tells whether a stream has missed an email; then after twice as long, and so on. */
const HEDGE_MS = 3_000;

/**
 * Watches an inbox for emails that are wanted and sees each of them once, in as many streams as it takes.
 *
 * Its cursor is the `receivedAt` up to which everything has been looked at. A stream gives only the newest email after it, so
 * where that does not end the wait, a look gives the others too before the cursor moves past them. Where a stream fails, a look
 * finds what it would have brought; if no stream gets through at all, that is polling.
 */
export class Watch {
  /** What has come, newest first. */
  readonly found: ReceivedEmail[] = [];
  /** What went wrong last, if anything did. */
  trouble: MayflyError | null = null;
  readonly #api: InboxApi;
  readonly #search: Search;
  readonly #wanted: Wanted;
  #cursor: Date | undefined;

  constructor(api: InboxApi, search: Search, wanted: Wanted) {
    this.#api = api;
    this.#search = search;
    this.#wanted = wanted;
    this.#cursor = wanted.after;
  }

  /**
   * Resolves to true when at least so many emails have come, and to false when the deadline is over. Rejects with a
   * `MayflyError` that trying again does not mend, and with what the filter's `where` throws.
   */
  async until(count: number, deadline: Deadline): Promise<boolean> {
    let failures = 0;
    while (this.found.length < count && !deadline.isOver) {
      if (failures > 0) await sleep(pauseMs(failures, this.trouble), deadline.signal);
      failures = (await this.#turn(count, deadline)) ? 0 : failures + 1;
    }
    return this.found.length >= count;
  }

  /** One stream, and a look where the stream does not settle it. Resolves to whether both went well. */
  async #turn(count: number, deadline: Deadline): Promise<boolean> {
    const heard = await this.#listen(count, deadline);
    if (heard === 'nothing' || this.found.length >= count || deadline.isOver) return true;
    const email = heard === 'failure' ? null : await this.#judge(heard, deadline);
    if (email === 'failure') return false;
    if (email !== null && count === 1) {
      this.#take({ emails: [email], upTo: email.receivedAt });
      return true;
    }
    const found = await this.#look(count, deadline);
    if (found === 'failure') return false;
    this.#take(found);
    if (heard === 'failure') return false;
    // The look has seen it already, unless it has expired since.
    this.#take({ emails: email === null ? [] : [email], upTo: new Date(heard.receivedAt) });
    return true;
  }

  /** The newest email after the cursor, from a stream, or from a look where the stream is silent. */
  async #listen(count: number, deadline: Deadline): Promise<Email | 'nothing' | 'failure'> {
    const stream = new Deadline(null, deadline.signal);
    const hedge = this.#hedge(count, stream);
    // It is waited for below, when the stream is over.
    hedge.catch(() => {});
    const openedAt = performance.now();
    try {
      const email = await this.#api.next(queryOf(this.#wanted, this.#cursor), stream.signal);
      const isPlausible = email ? this.#isNew(email) : performance.now() - openedAt >= SHORTEST_STREAM_MS;
      if (!isPlausible) throw new MayflyResponseError('The stream is not one of Mayfly.', 200);
      return email ?? 'nothing';
    } catch (error) {
      // Whatever ails the stream, a look tells whether it is final: behind some proxies there are no streams.
      return this.#failure(error, stream);
    } finally {
      stream.end();
      const found = await hedge;
      if (found !== null) this.#take(found);
    }
  }

  /** Looks while a stream is silent, less and less often. Ends the stream when that finds what it has missed, or fails for good. */
  async #hedge(count: number, stream: Deadline): Promise<Found | null> {
    try {
      for (let pause = HEDGE_MS; ; pause *= 2) {
        await sleep(pause, stream.signal);
        if (stream.isOver) return null;
        const found = await this.#look(count, stream);
        if (found !== 'failure' && found.emails.length > 0) return found;
      }
    } finally {
      stream.end();
    }
  }

  /** Those wanted after the cursor, newest first. */
  async #look(count: number, deadline: Deadline): Promise<Found | 'failure'> {
    return this.#orFailure(deadline, () => this.#search.find(this.#cursor, count - this.found.length, deadline.signal));
  }

  #judge(email: Email, deadline: Deadline): Promise<ReceivedEmail | null | 'failure'> {
    return this.#orFailure(deadline, () => this.#search.judge(email, deadline.signal));
  }

  async #orFailure<T>(deadline: Deadline, run: () => Promise<T>): Promise<T | 'failure'> {
    try {
      return await run();
    } catch (error) {
      if (!deadline.isOver && !isPassing(error)) throw error;
      return this.#failure(error, deadline);
    }
  }

  #failure(error: unknown, deadline: Deadline): 'failure' {
    // When the deadline is over, that is what ended the request.
    if (!deadline.isOver) this.trouble = error as MayflyError;
    return 'failure';
  }

  #isNew({ receivedAt }: Email): boolean {
    return this.#cursor === undefined || new Date(receivedAt) > this.#cursor;
  }

  /** Takes emails, newest first, and moves the cursor past them. Nothing older than `upTo` may be left unseen. */
  #take({ emails, upTo }: Found): void {
    const cursor = this.#cursor;
    this.found.unshift(...emails.filter(({ receivedAt }) => cursor === undefined || receivedAt > cursor));
    if (upTo !== undefined && (cursor === undefined || upTo > cursor)) this.#cursor = upTo;
  }
}
