import type { SharedCounts } from '../../shared-counts.js';
import type { Soon } from '../../soon.js';
import type { NameLimiter, Rate } from '../limiter.js';
import { RateLimiter } from '../rate-limiter.js';
import type { Questions } from './questions.js';

/** What shared names are made of. */
export interface SharedNameRate {
  readonly counts: SharedCounts;
  readonly questions: Questions;
  /** What the count is called; each client has its own. */
  readonly name: string;
  readonly rate: Rate;
}

/** Counts names for all nodes: the same name on two of them counts once. While the store is away, this process counts alone. */
export class SharedNames implements NameLimiter {
  readonly #shared: SharedNameRate;
  readonly #own: RateLimiter;

  constructor(shared: SharedNameRate) {
    this.#shared = shared;
    this.#own = new RateLimiter(shared.rate);
  }

  take(client: string, now: number, name: string): Soon<number> {
    const { counts, questions, rate } = this.#shared;
    const count = this.#countOf(client);
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
    // What is not given back leaves with its window.
    await this.#shared.questions
      .ask(() => this.#shared.counts.giveBackName(this.#countOf(client), name))
      .catch(() => {});
  }

  #countOf(client: string): string {
    return `${this.#shared.name}:${client}`;
  }
}
