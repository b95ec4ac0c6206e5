import type { Usage } from '../store.js';
import { type Bucket, settledWhereSome } from './bucket.js';

/** What a delivery will cost in a bucket. */
export interface Share {
  readonly bucket: Bucket;
  readonly bytes: number;
}

/** Room that a delivery has been given until it is known whether it was stored. */
export interface Reservation {
  /** What everything in a bucket may cost for it: what the budget leaves beside all other buckets. */
  most(bucket: Bucket): number;
  end(isStored: boolean): void;
}

/**
 * Holds the budget over all buckets. Each bucket's script knows what that bucket holds; what the others hold each node asks about once a
 * second, and adds what it stores itself. So what all nodes store within a second may pass the budget, and no more. With one bucket
 * nothing is asked, and nothing passes.
 */
export class Budget {
  readonly #budgetBytes: number;
  readonly #buckets: readonly Bucket[];
  /** What each bucket holds as far as this node knows. */
  readonly #held = new Tallies();
  /** What this node is about to add. */
  readonly #reserved = new Tallies();
  #isKnown: boolean;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(budgetBytes: number, buckets: readonly Bucket[]) {
    this.#budgetBytes = budgetBytes;
    this.#buckets = buckets;
    this.#isKnown = buckets.length === 1;
  }

  /** Resolves once something is known of what all buckets hold. */
  async known(): Promise<void> {
    if (!this.#isKnown) await this.refresh();
  }

  /** Keeps room for a delivery. `isSure` says that what is stored costs just that. */
  reserve(shares: readonly Share[], isSure: boolean): Reservation {
    if (this.#buckets.length === 1) return { most: () => this.#budgetBytes, end: () => {} };
    for (const { bucket, bytes } of shares) this.#reserved.add(bucket, bytes);
    return {
      most: (bucket) => this.#budgetBytes - this.#held.beside(bucket) - this.#reserved.beside(bucket),
      end: (isStored) => {
        for (const { bucket, bytes } of shares) {
          this.#reserved.add(bucket, -bytes);
          if (isStored) this.#held.add(bucket, bytes);
        }
        if (isStored && !isSure) this.#isKnown = false;
      },
    };
  }

  /** Asks all buckets, begun after now: whoever has just deleted something finds its room. */
  refresh(): Promise<void> {
    if (this.#buckets.length === 1) return Promise.resolve();
    this.#next ??= (this.#running ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#running = this.#next;
        this.#next = null;
        return this.#ask();
      });
    return this.#next;
  }

  /** A bucket that does not answer holds what it did, as far as is known: it takes nothing meanwhile. */
  async #ask(): Promise<void> {
    await settledWhereSome(this.#tallies());
    this.#isKnown = true;
  }

  /** What all buckets hold. */
  async usage(): Promise<Usage> {
    const tallies = await Promise.all(this.#tallies());
    const bytes = tallies.reduce((sum, tally) => sum + tally.bytes, 0);
    this.#isKnown = true;
    return { bytes, emails: tallies.reduce((sum, tally) => sum + tally.emails, 0) };
  }

  #tallies(): Promise<Usage>[] {
    return this.#buckets.map(async (bucket) => {
      const tally = await bucket.tally();
      this.#held.set(bucket, tally.bytes);
      return tally;
    });
  }
}

/** Bytes of buckets, and their sum. */
class Tallies {
  readonly #bytes = new Map<Bucket, number>();
  #sum = 0;

  set(bucket: Bucket, bytes: number): void {
    this.add(bucket, bytes - (this.#bytes.get(bucket) ?? 0));
  }

  add(bucket: Bucket, bytes: number): void {
    this.#bytes.set(bucket, (this.#bytes.get(bucket) ?? 0) + bytes);
    this.#sum += bytes;
  }

  /** What all but this one have. */
  beside(bucket: Bucket): number {
    return this.#sum - (this.#bytes.get(bucket) ?? 0);
  }
}
