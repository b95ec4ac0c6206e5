import type { MaybePromise } from '../../base/maybe-promise.js';
import { type Limiter, type NameLimiter, NotCountedError, type Rate } from '../limiter.js';
import { NameBuckets } from '../name-buckets.js';
import { batchSizeOf, RateLimiter } from '../rate-limiter.js';
import type { CountedWindow } from '../shared-counts.js';
import { countOf, type SharedCount } from './shared-count.js';

/** Clients remembered as refused; some 10 MB at most. */
const MAX_REFUSED = 100_000;

export interface SharedRate extends SharedCount {
  readonly rate: Rate;
  /** When the store does not answer, this process counts alone, or refuses. */
  readonly whenAway: 'count-alone' | 'refuse';
}

/**
 * Counts the uses of all nodes. What this process knows for certain costs no question: a use that its own count refuses
 * would be refused by that of all, and a refused client stays so until the time it was told.
 */
export class SharedLimiter implements Limiter {
  readonly #shared: SharedRate;
  readonly #window: CountedWindow;
  /** What this process has allowed by itself. */
  readonly #own: RateLimiter;
  /** Until when the count of all refuses a client. */
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

export interface SharedNameRate extends SharedCount {
  readonly rate: Rate;
}

/** Counts names for all nodes, once however many use a name. While the store is away, this process counts alone. */
export class SharedNames implements NameLimiter {
  readonly #shared: SharedNameRate;
  readonly #own: NameBuckets;

  constructor(shared: SharedNameRate) {
    this.#shared = shared;
    this.#own = new NameBuckets(shared.rate);
  }

  take(client: string, now: number, name: string): MaybePromise<number> {
    const { counts, questions, rate } = this.#shared;
    const count = countOf(this.#shared, client);
    return questions
      .ask(() => counts.useName(count, name, { ...rate, batchSize: 1 }))
      .then(
        (waitMs) => {
          if (waitMs === 0) this.#own.take(client, now);
          return waitMs;
        },
        () => this.#own.take(client, now),
      );
  }

  async giveBack(client: string, at: number, now: number, name: string): Promise<void> {
    this.#own.giveBack(client, at, now);
    const { counts, questions } = this.#shared;
    // Otherwise it leaves with its window.
    await questions.ask(() => counts.giveBackName(countOf(this.#shared, client), name)).catch(() => {});
  }
}
