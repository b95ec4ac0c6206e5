import { BoundedMap } from '../../base/bounded-map.js';
import type { Clock } from '../../base/clock.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import { type CountedWindow, NoRoomError, type SharedCounts } from '../limits.js';
import {
  batchSizeOf,
  type Limiter,
  type NameLimiter,
  NotCountedError,
  type Rate,
  RateLimiter,
} from '../rate-limiter.js';
import { NameBuckets } from '../tried-names.js';
import { OwnWindows, type WindowCounter } from '../window-counter.js';

export interface SharedCount {
  readonly counts: SharedCounts;
  readonly questions: Questions;
  /** What is counted; each client has its own count. */
  readonly name: string;
}

export function countOf({ name }: SharedCount, client: string): string {
  return `${name}:${client}`;
}

const ANSWER_MS = 2_000;

/** How long a silent store is left alone. Then one question tests it. */
const PAUSE_MS = 1_000;

/** Questions to a store with a bounded wait: for one answer, and for many in turn while the store is away. */
export class Questions {
  readonly #clock: Clock;
  readonly #onAway: (reason: unknown) => void;
  #trouble: unknown = null;
  #askAgainAt = 0;
  #isTrying = false;

  /** `onAway` is told why the store stopped answering, once until it answers again. */
  constructor(clock: Clock, onAway: (reason: unknown) => void) {
    this.#clock = clock;
    this.#onAway = onAway;
  }

  /** Rejects with why there is no answer, at once if the store has just left a question unanswered. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    const isAway = this.#trouble !== null;
    if (isAway && (this.#isTrying || this.#clock.monotonic() < this.#askAgainAt)) throw this.#trouble;
    this.#isTrying = isAway;
    try {
      const answer = await this.#inTime(question());
      this.#trouble = null;
      return answer;
    } catch (error) {
      if (error instanceof NoRoomError) {
        this.#trouble = null;
        throw error;
      }
      if (this.#trouble === null) this.#onAway(error);
      this.#trouble = error;
      this.#askAgainAt = this.#clock.monotonic() + PAUSE_MS;
      throw error;
    } finally {
      if (isAway) this.#isTrying = false;
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(ANSWER_MS, () => reject(new Error(`no reply for ${ANSWER_MS / 1_000} seconds`)));
      answer.then(resolve, reject).finally(cancel);
    });
  }
}

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
  readonly #own: RateLimiter;
  readonly #refusedUntil = new BoundedMap<string, number>(MAX_REFUSED);

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

export class SharedWindows implements WindowCounter {
  readonly #shared: SharedCount;
  readonly #own = new OwnWindows();

  constructor(shared: SharedCount) {
    this.#shared = shared;
  }

  use(name: string, rate: Rate, now: number): MaybePromise<number> {
    const { counts, questions } = this.#shared;
    const question = () => counts.use(countOf(this.#shared, name), { ...rate, batchSize: 1 });
    return questions.ask(question).catch(() => this.#own.use(name, rate, now));
  }

  wait(name: string, rate: Rate, now: number): MaybePromise<number> {
    const { counts, questions } = this.#shared;
    const question = () => counts.wait(countOf(this.#shared, name), { ...rate, batchSize: 1 });
    return questions.ask(question).catch(() => this.#own.wait(name, rate, now));
  }
}
