import type { Usage } from '../../store.js';
import { type Shard, settledWhereSome } from './shard.js';

export interface Share {
  readonly shard: Shard;
  readonly bytes: number;
}

/** Room that a delivery has been given until it is known whether it was stored. */
export interface Reservation {
  /** What everything in a shard may cost for it: what the budget leaves beside all other shards. */
  most(shard: Shard): number;
  end(isStored: boolean): void;
}

/**
 * Holds the budget over all shards. Each shard's script knows what that shard holds; what the others hold each node asks about once a
 * second, and adds what it stores itself. So what all nodes store within a second may pass the budget, and no more. With one shard
 * nothing is asked, and nothing passes.
 */
export class Budget {
  readonly #budgetBytes: number;
  readonly #shards: readonly Shard[];
  readonly #held = new Tallies();
  readonly #reserved = new Tallies();
  #isKnown: boolean;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(budgetBytes: number, shards: readonly Shard[]) {
    this.#budgetBytes = budgetBytes;
    this.#shards = shards;
    this.#isKnown = shards.length === 1;
  }

  async known(): Promise<void> {
    if (!this.#isKnown) await this.refresh();
  }

  /** Keeps room for a delivery. `isSure` says that what is stored costs just that. */
  reserve(shares: readonly Share[], isSure: boolean): Reservation {
    if (this.#shards.length === 1) return { most: () => this.#budgetBytes, end: () => {} };
    for (const { shard, bytes } of shares) this.#reserved.add(shard, bytes);
    return {
      most: (shard) => this.#budgetBytes - this.#held.beside(shard) - this.#reserved.beside(shard),
      end: (isStored) => {
        for (const { shard, bytes } of shares) {
          this.#reserved.add(shard, -bytes);
          if (isStored) this.#held.add(shard, bytes);
        }
        if (isStored && !isSure) this.#isKnown = false;
      },
    };
  }

  /** Asks all shards, begun after now: whoever has just deleted something finds its room. */
  refresh(): Promise<void> {
    if (this.#shards.length === 1) return Promise.resolve();
    this.#next ??= (this.#running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#running = this.#next;
        this.#next = null;
        return this.#ask();
      });
    return this.#next;
  }

  /** A shard that does not answer holds what it did, as far as is known: it takes nothing meanwhile. */
  async #ask(): Promise<void> {
    await settledWhereSome(this.#tallies());
    this.#isKnown = true;
  }

  async usage(): Promise<Usage> {
    const tallies = await Promise.all(this.#tallies());
    const bytes = tallies.reduce((sum, tally) => sum + tally.bytes, 0);
    this.#isKnown = true;
    return { bytes, emails: tallies.reduce((sum, tally) => sum + tally.emails, 0) };
  }

  #tallies(): Promise<Usage>[] {
    return this.#shards.map(async (shard) => {
      const tally = await shard.tally();
      this.#held.set(shard, tally.bytes);
      return tally;
    });
  }
}

class Tallies {
  readonly #bytes = new Map<Shard, number>();
  #sum = 0;

  set(shard: Shard, bytes: number): void {
    this.add(shard, bytes - (this.#bytes.get(shard) ?? 0));
  }

  add(shard: Shard, bytes: number): void {
    this.#bytes.set(shard, (this.#bytes.get(shard) ?? 0) + bytes);
    this.#sum += bytes;
  }

  beside(shard: Shard): number {
    return this.#sum - (this.#bytes.get(shard) ?? 0);
  }
}
