import type { MaybePromise } from '../../base/maybe-promise.js';
import { type Limiter, NotCountedError, type Rate } from '../limiter.js';
import { batchSizeOf, RateLimiter } from '../rate-limiter.js';
import type { CountedWindow } from '../shared-counts.js';
import { countOf, type SharedCount } from './shared-count.js';

/** Of how many clients is remembered that they are refused; some 10 MB at the most. */
const MAX_REFUSED = 100_000;

/** What a shared limiter is made of. */
export interface SharedRate extends SharedCount {
  readonly rate: Rate;
  /** What becomes of a use where the store does not answer: this process counts it alone, or it is refused. */
  readonly whenAway: 'count-alone' | 'refuse';
}

/**
 * Counts the uses of all nodes. What this process knows for certain costs no question: a use that its own count refuses would be
 * refused by that of all, and who was refused stays so until the time that he was told.
 */
export class SharedLimiter implements Limiter {
  readonly #shared: SharedRate;
  readonly #window: CountedWindow;
  /** What this process has allowed by itself. */
  readonly #own: RateLimiter;
  /** Until when a client is refused by the count of all. */
  readonly #refusedUntil = new Map<string, number>();

  constructor(shared: SharedRate) {
    this.#shared = shared;
    this.#window = { ...shared.rate, batchSize: batchSizeOf(shared.rate.count) };
    this.#own = new RateLimiter(shared.rate);
  }

  take(client: string, now: number): MaybePromise<number> {
    const knownMs = this.#knownWait(client, now);
    if (knownMs > 0) return knownMs;
    const { counts, questions } = this.#shared;
    const question = () => counts.use(countOf(this.#shared, client), this.#window);
    return questions.ask(question).then(
      (waitMs) => {
        if (waitMs === 0) this.#own.take(client, now);
        return this.#noted(client, now, waitMs);
      },
      (error) => this.#counted(error, () => this.#own.take(client, now)),
    );
  }

  wait(client: string, now: number): MaybePromise<number> {
    const knownMs = this.#knownWait(client, now);
    if (knownMs > 0) return knownMs;
    const { counts, questions } = this.#shared;
    const question = () => counts.wait(countOf(this.#shared, client), this.#window);
    return questions.ask(question).then(
      (waitMs) => this.#noted(client, now, waitMs),
      (error) => this.#counted(error, () => this.#own.wait(client, now)),
    );
  }

  #counted(cause: unknown, alone: () => number): number {
    if (this.#shared.whenAway === 'refuse') throw new NotCountedError('The use was not counted.', { cause });
    return alone();
  }

  #knownWait(client: string, now: number): number {
    const ownMs = this.#own.wait(client, now);
    const untilTime = this.#refusedUntil.get(client) ?? now;
    if (untilTime <= now) this.#refusedUntil.delete(client);
    return Math.max(ownMs, untilTime - now);
  }

  #noted(client: string, now: number, waitMs: number): number {
    if (waitMs <= 0) return waitMs;
    this.#refusedUntil.delete(client);
    for (const oldest of this.#refusedUntil.keys()) {
      if (this.#refusedUntil.size < MAX_REFUSED) break;
      this.#refusedUntil.delete(oldest);
    }
    this.#refusedUntil.set(client, now + waitMs);
    return waitMs;
  }
}
