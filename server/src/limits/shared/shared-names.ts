import type { MaybePromise } from '../../base/maybe-promise.js';
import type { NameLimiter, Rate } from '../limiter.js';
import { NameBuckets } from '../name-buckets.js';
import { countOf, type SharedCount } from './shared-count.js';

/** What shared names are made of. */
export interface SharedNameRate extends SharedCount {
  readonly rate: Rate;
}

/** Counts names for all nodes: the same name on two of them counts once. While the store is away, this process counts alone. */
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
    // What is not given back leaves with its window.
    await questions.ask(() => counts.giveBackName(countOf(this.#shared, client), name)).catch(() => {});
  }
}
