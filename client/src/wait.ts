import type { Calls } from './calls.js';
import { type Deadline, sleep } from './deadline.js';
import type { ReceivedEmail } from './email.js';
import { timeoutError, unexpectedError } from './explain.js';
import type { InboxApi } from './inbox-api.js';
import { type LastLook, lookAround, MAX_NAMED } from './last-look.js';
import { Search } from './search.js';
import type { Wanted } from './wanted.js';
import { Watch } from './watch.js';

/** How long before the end of a wait it is looked what came, at most half of its time, so that its error can tell. */
const LAST_LOOK_MS = 2_000;

/** A look at an inbox, or a wait. When the caller's signal is aborted every method rejects with its reason. */
export class Wait {
  readonly #api: InboxApi;
  readonly #calls: Calls;
  readonly #wanted: Wanted;
  readonly #signal: AbortSignal | undefined;
  readonly #search: Search;

  constructor(api: InboxApi, calls: Calls, wanted: Wanted, signal: AbortSignal | undefined) {
    this.#api = api;
    this.#calls = calls;
    this.#wanted = wanted;
    this.#signal = signal;
    this.#search = new Search(api, calls, wanted);
  }

  /** Waits until so many have come and resolves to them, newest first. Rejects with `MayflyTimeoutError` when they do not. */
  async forCount(count: number, timeoutMs: number): Promise<ReceivedEmail[]> {
    const watch = new Watch(this.#api, this.#search, this.#wanted);
    return this.#calls.within(timeoutMs, this.#signal, async (deadline) => {
      const look: LastLook = { summaries: null, emails: [], domains: null, trouble: null };
      const looked = this.#lookAtLast(look, count, timeoutMs, deadline);
      if (await watch.until(count, deadline)) return watch.found;
      const found = await looked;
      // A stream that was held up must not hide what is there by now.
      if (found.length >= count) return [...found];
      throw timeoutError({ ...this.#wanted, count }, timeoutMs, look, watch.trouble);
    });
  }

  /**
   * Watches for so long that no more than `count` come and resolves to those that have, newest first. Rejects with
   * `MayflyUnexpectedEmailError` as soon as there are more. Rejects too when the inbox cannot be read within the time of a call
   * after the end: then nobody knows.
   */
  async forNoMoreThan(count: number, quietMs: number): Promise<ReceivedEmail[]> {
    const watch = new Watch(this.#api, this.#search, this.#wanted);
    if (quietMs > 0) {
      await this.#calls.within(quietMs, this.#signal, (deadline) => watch.until(count + 1, deadline));
    }
    const present = await this.newest(count + MAX_NAMED);
    // What was seen may have expired since.
    const emails = watch.found.length > present.length ? watch.found : present;
    if (emails.length > count) throw unexpectedError({ ...this.#wanted, count }, emails);
    return emails;
  }

  /** The newest of those that are there, at most so many. */
  async newest(most: number): Promise<ReceivedEmail[]> {
    const { after } = this.#wanted;
    const { emails } = await this.#calls.tried((signal) => this.#search.find(after, most, signal), this.#signal);
    return [...emails];
  }

  /** All that are there, newest first. */
  all(): Promise<ReceivedEmail[]> {
    return this.#calls.tried((signal) => this.#search.all(signal), this.#signal);
  }

  /** Looks once more shortly before the end of a wait. Resolves to those that are wanted, and never rejects. */
  async #lookAtLast(
    look: LastLook,
    count: number,
    timeoutMs: number,
    deadline: Deadline,
  ): Promise<readonly ReceivedEmail[]> {
    await sleep(timeoutMs - Math.min(LAST_LOOK_MS, timeoutMs / 2), deadline.signal);
    if (deadline.isOver) return [];
    const [found] = await Promise.all([
      this.#search.find(this.#wanted.after, count, deadline.signal).catch(() => ({ emails: [] })),
      lookAround(this.#api, this.#calls, look, deadline),
    ]);
    return found.emails;
  }
}
