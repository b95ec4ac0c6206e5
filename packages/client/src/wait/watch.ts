import type { Email } from 'mayfly-protocol/wire';
import { MAX_NAMED, MAX_WAIT_MS } from './bounds.js';
import type { Calls } from './calls.js';
import { Deadline, leftMs, loaded, sleep } from './deadline.js';
import { MayflyError, MayflyTimeoutError, MayflyUnexpectedEmailError } from './errors.js';
import type { LastLook, VainKind, VainSeen } from './explain.js';
import type { Wanted } from './filter.js';
import { now } from './real-time.js';
import type { LoadableEmail } from './received-email.js';
import { isPassing, pauseMs } from './retry.js';
import type { Found, Search } from './search.js';

/** A stream may be silent for this long before a read checks for a missed email. The time doubles with each read. */
const HEDGE_MS = 3_000;

/** When a wait first records emails that do not match. It is early, because at the wait's end they may be gone. */
const FIRST_LOOK_MS = 1_000;

// Watches an inbox for wanted emails and returns each once, over any number of streams. The cursor is the `receivedAt`
// up to which every email was seen. A stream sends only the newest email after the cursor. If that email does not
// end the wait, a read finds the others before the cursor moves. A read also replaces a failed stream.
export class Watch {
  readonly search: Search;
  readonly calls: Calls;
  readonly wanted: Wanted;
  readonly #signal: AbortSignal | undefined;
  readonly #found: LoadableEmail[] = [];
  #trouble: MayflyError | undefined;
  #cursor: Date | undefined;
  /** Facts for the message of a timeout; undefined if no message is needed. */
  #look: LastLook | undefined;
  readonly begunAt = now();
  declare time: AbortSignal;

  /** Once the caller's signal is aborted, every method rejects with the signal's reason. */
  constructor(search: Search, calls: Calls, wanted: Wanted, signal: AbortSignal | undefined) {
    this.search = search;
    this.calls = calls;
    this.wanted = wanted;
    this.#signal = signal;
    this.#cursor = wanted.after;
  }

  /** Waits for `count` emails, newest first. Rejects with a `MayflyTimeoutError` that explains the timeout. */
  forCount(count: number, timeoutMs = this.calls.timeoutMs): Promise<LoadableEmail[]> {
    return this.calls.within(timeoutMs, this.#signal, async (signal, ending) => {
      const look: LastLook = { found: [] };
      this.#look = look;
      this.time = signal;
      const firstLook = sleep(Math.min(FIRST_LOOK_MS, timeoutMs / 4), ending.signal);
      const looked = firstLook.then(() => this.#lookAround(ending.signal, count));
      if (await this.#until(count, signal)) return this.#found;
      await Promise.race([looked, ending.over]);
      // The reads may have found emails that a delayed stream did not deliver.
      if (look.found.length >= count) return look.found;
      throw await this.#told(MayflyTimeoutError, count, look, timeoutMs);
    });
  }

  /** Resolves to the emails if at most `count` arrive in time, else rejects with `MayflyUnexpectedEmailError`. */
  async forNoMoreThan(count: number, quietMs: number): Promise<LoadableEmail[]> {
    // Searches again from the start, because a wait for one email returns the newest and may skip older emails.
    this.#cursor = this.wanted.after;
    this.#found.length = 0;
    this.#look = undefined;
    if (quietMs > 0) await this.calls.within(quietMs, this.#signal, (signal) => this.#until(count + 1, signal));
    const present = await this.newest(count + MAX_NAMED);
    // Emails found during the wait count even if they have expired by now.
    const emails = this.#found.length > present.length ? this.#found : present;
    if (emails.length <= count) return emails;
    throw await this.#told(MayflyUnexpectedEmailError, count, emails);
  }

  async newest(most: number): Promise<LoadableEmail[]> {
    return (await this.calls.tried((signal) => this.search.find(most, signal), this.#signal)).emails;
  }

  all(): Promise<LoadableEmail[]> {
    return this.calls.tried((signal) => this.search.all(signal), this.#signal);
  }

  /** Whether `count` emails arrived before the abort. Rejects with a permanent error, or with what `where` throws. */
  async #until(count: number, signal: AbortSignal): Promise<boolean> {
    for (let failures = 0; this.#found.length < count && !signal.aborted; ) {
      const trouble = await this.#turn(count, signal).catch((error) => this.#passing(error, signal));
      if (trouble) await sleep(pauseMs(++failures, trouble, leftMs(signal)), signal);
      else failures = 0;
    }
    return this.#found.length >= count;
  }

  /** Runs one stream, then a read if the stream did not settle the wait. Resolves to the stream's error, if any. */
  async #turn(count: number, signal: AbortSignal): Promise<MayflyError | undefined> {
    const stream = new Deadline(MAX_WAIT_MS, signal);
    const [heard] = await Promise.all([this.#listen(stream), this.#hedge(count, stream)]);
    if (heard === null || this.#found.length >= count || signal.aborted) return undefined;
    if (heard instanceof MayflyError) {
      // Only a read shows whether the error is permanent, because some proxies do not pass streams.
      await this.#seek(count, signal);
      return heard;
    }
    const email = await this.search.judge(heard, signal);
    if (email === null || count > 1) await this.#seek(count, signal);
    // If a read has already added this email, `#take` skips it.
    this.#take({ emails: email ? [email] : [], upTo: new Date(heard.receivedAt) });
    return undefined;
  }

  /** The newest email after the cursor, or the error of the stream; null if the stream ended without either. */
  async #listen(stream: Deadline): Promise<Email | MayflyError | null> {
    try {
      return await this.search.next(this.#cursor, stream.signal);
    } catch (error) {
      if (stream.signal.aborted) return null;
      this.#trouble = error as MayflyError;
      return error as MayflyError;
    } finally {
      stream.end();
    }
  }

  /** Reads the inbox at growing intervals while a stream is silent. Ends the stream on a missed email or an error. */
  async #hedge(count: number, stream: Deadline): Promise<void> {
    const { signal } = stream;
    try {
      for (let pause = HEDGE_MS; ; pause *= 2) {
        await sleep(pause, signal);
        if (signal.aborted) return;
        void this.#lookAround(signal);
        const hasFound = await this.#seek(count, signal).catch((error) => this.#passing(error, signal));
        if (hasFound === true) return;
      }
    } finally {
      stream.end();
    }
  }

  async #seek(count: number, signal: AbortSignal): Promise<boolean> {
    const found = await this.search.find(count - this.#found.length, signal, this.#cursor);
    this.#take(found);
    return found.emails.length > 0;
  }

  /** Records a temporary failure, and throws a permanent one. Ignores failures after the abort. */
  #passing(error: unknown, signal: AbortSignal): MayflyError | undefined {
    if (signal.aborted) return undefined;
    if (!isPassing(error)) throw error;
    this.#trouble = error as MayflyError;
    return error as MayflyError;
  }

  /** Adds emails, newest first. Moves the cursor to `upTo`, so the caller must have searched everything up to there. */
  #take({ emails, upTo }: Found): void {
    const cursor = this.#cursor ?? new Date(0);
    this.#found.unshift(...emails.filter(({ receivedAt }) => receivedAt > cursor));
    if (upTo && upTo > cursor) this.#cursor = upTo;
  }

  /** Records emails for a timeout's message: now and, if `count` is given, again near the wait's end. Never rejects. */
  async #lookAround(signal: AbortSignal, count?: number): Promise<void> {
    const look = this.#look;
    if (look && !signal.aborted)
      await import('./last-look.js').then((last) => last.lookAround(look, this, signal, count)).catch(() => {});
  }

  /** The error of a timeout. If its explanation fails to load, the message is shorter. */
  #told(Kind: VainKind, count: number, seen: VainSeen, timeoutMs?: number): Promise<MayflyError> {
    const { address } = this.wanted;
    const trouble = this.#trouble;
    const what = timeoutMs ? `Waited ${timeoutMs / 1000} s for` : 'Unexpected';
    const known = `${what} mail to ${address}. ${trouble?.message ?? ''}`;
    return loaded(import('./last-look.js'))
      .then((last) => last.vainError(Kind, { ...this.wanted, count }, seen, trouble, timeoutMs))
      .catch((cause) => new Kind(`${known} The explanation did not load: ${cause}.`, { address } as never));
  }
}
