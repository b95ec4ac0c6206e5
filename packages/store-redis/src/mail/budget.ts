import type { Usage } from '../../../server/dist/store/seam.js';
import { type Shard, settledWhereSome } from './shard.js';

export interface Share {
  readonly shard: Shard;
  readonly bytes: number;
}

export interface Reservation {
  /** What the shard may cost in all: what the budget leaves beside the other shards. */
  most(shard: Shard): number;
  end(isStored: boolean): void;
}

/**
 * Holds the budget over all shards. Each shard's script knows what that shard holds; each node asks for the others'
 * once a second, and adds what it stores itself. So all nodes may exceed the budget by what they store within a second,
 * and no more. With one shard nothing is asked, and nothing exceeds.
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

  /** Reserves room for a delivery. With `isSure`, storing it costs exactly that. */
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

  /** Asks all shards, starting after this call: a caller that has just deleted something finds its room. */
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

  /** A shard that does not answer keeps its last known figure: it stores nothing meanwhile. */
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

/** How long a look at all shards that found no room stays valid. */
const NO_ROOM_MS = 1_000;

/**
 * Makes room for refused mail: deletes what was cleared or has expired. In a cluster that asks every shard, so a look
 * holds for a second: if it found no room, mail of the same cost or more is refused without asking. Mail that expires
 * within that second, or that this node deletes, ends it.
 */
export class Room {
  readonly #shards: readonly Shard[];
  /** Until then there is known to be no room for `#noneFor` bytes. */
  #noneUntil = Number.NEGATIVE_INFINITY;
  #noneFor = Number.POSITIVE_INFINITY;
  #deletions = 0;

  constructor(shards: readonly Shard[]) {
    this.#shards = shards;
  }

  /** Whether mail of this cost in bytes is known to have no room. The cost is computed only if it matters. */
  isLacking(cost: () => number, now: number): boolean {
    return now < this.#noneUntil && cost() >= this.#noneFor;
  }

  deleted(): void {
    this.#deletions += 1;
    this.#noneUntil = Number.NEGATIVE_INFINITY;
  }

  /** Whether to look for room at `now`, after mail of this cost was refused. */
  isWorthALook(cost: () => number, now: number): boolean {
    if (now >= this.#noneUntil) return true;
    this.#noneFor = Math.min(this.#noneFor, cost());
    return false;
  }

  /** Deletes some of what expired first, after mail of this cost was refused; resolves to whether there was any. */
  async make(cost: () => number, now: number): Promise<boolean> {
    const before = this.#deletions;
    const { shards, nextAt } = await this.expired(now);
    const [shard] = shards;
    if (shard !== undefined && (await shard.purge(now)) !== 'nothing') {
      this.deleted();
      return true;
    }
    if (this.#shards.length > 1 && before === this.#deletions) {
      [this.#noneUntil, this.#noneFor] = [Math.min(now + NO_ROOM_MS, nextAt), cost()];
    }
    return false;
  }

  /** The shards that answer and have expired entries, oldest first; and the next expiry. One shard is not asked. */
  async expired(now: number): Promise<{ readonly shards: readonly Shard[]; readonly nextAt: number }> {
    if (this.#shards.length === 1) return { shards: this.#shards, nextAt: now };
    const firsts = await settledWhereSome(
      this.#shards.map(async (shard) => ({ shard, expiresAt: await shard.firstExpiry() })),
    );
    firsts.sort((a, b) => a.expiresAt - b.expiresAt);
    const end = firsts.findIndex(({ expiresAt }) => expiresAt > now);
    const expired = end < 0 ? firsts : firsts.slice(0, end);
    return { shards: expired.map(({ shard }) => shard), nextAt: firsts[end]?.expiresAt ?? Number.POSITIVE_INFINITY };
  }
}
