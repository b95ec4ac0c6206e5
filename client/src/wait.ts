import { Deadline } from './deadline.js';
import { type ReceivedEmail, receivedEmail } from './email.js';
import type { MayflyError } from './errors.js';
import { timeoutError, unexpectedError } from './explain.js';
import type { InboxApi } from './inbox-api.js';
import { retried } from './retry.js';
import { queryOf, type Wanted, Watch, wantedOf } from './watch.js';

/** How long looking at the inbox may take once the time of a wait is over, so that its error can tell what came. */
const LAST_LOOK_MS = 2_000;

/** A look at an inbox, or a wait. When the caller's signal is aborted every method rejects with its reason. */
export class Wait {
  readonly #api: InboxApi;
  readonly #wanted: Wanted;
  readonly #signal: AbortSignal | undefined;

  constructor(api: InboxApi, wanted: Wanted, signal: AbortSignal | undefined) {
    this.#api = api;
    this.#wanted = wanted;
    this.#signal = signal;
  }

  /** Waits until so many have come and resolves to them, newest first. Rejects with `MayflyTimeoutError` when they do not. */
  async forCount(count: number, timeoutMs: number): Promise<ReceivedEmail[]> {
    const watch = new Watch(this.#api, this.#wanted);
    if (await this.#within(timeoutMs, (deadline) => watch.until(count, deadline))) return watch.found;
    const emails = await this.#within(LAST_LOOK_MS, (deadline) => this.#lastLook(deadline));
    const late = emails instanceof Error ? [] : wantedOf(emails, this.#wanted);
    // A stream that was held up must not hide what is there by now.
    if (late.length >= count) return late;
    throw timeoutError({ ...this.#wanted, count }, timeoutMs, emails, watch.trouble);
  }

  /**
   * Watches for so long that no more than `count` come and resolves to those that have, newest first. Rejects with
   * `MayflyUnexpectedEmailError` as soon as there are more. Rejects too when the inbox cannot be read within `confirmMs` of the
   * end: then nobody knows.
   */
  async forNoMoreThan(count: number, quietMs: number, confirmMs: number): Promise<ReceivedEmail[]> {
    const watch = new Watch(this.#api, this.#wanted);
    await this.#within(quietMs, (deadline) => watch.until(count + 1, deadline));
    const present = await this.present(confirmMs);
    // What was seen may have expired since.
    const emails = watch.found.length > present.length ? watch.found : present;
    if (emails.length > count) throw unexpectedError({ ...this.#wanted, count }, emails);
    return emails;
  }

  /** Those that are there, newest first. A server that is away, or limits the rate of requests, is tried for so long. */
  async present(timeoutMs: number): Promise<ReceivedEmail[]> {
    const emails = await this.#within(timeoutMs, (deadline) =>
      retried(deadline, () => this.#api.emails(queryOf(this.#wanted), deadline.signal)),
    );
    return wantedOf(emails.map(receivedEmail), this.#wanted);
  }

  /** The whole inbox, for there the reason may be found; or the error that keeps it from being read. */
  #lastLook({ signal }: Deadline): Promise<ReceivedEmail[] | MayflyError> {
    return this.#api.emails({}, signal).then(
      (emails) => emails.map(receivedEmail),
      (error: MayflyError) => error,
    );
  }

  /** Runs something in a time of its own. That the caller's signal is aborted goes before all that it led to. */
  async #within<T>(timeoutMs: number, run: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = new Deadline(timeoutMs, this.#signal);
    try {
      return await run(deadline);
    } finally {
      deadline.end();
      this.#signal?.throwIfAborted();
    }
  }
}
