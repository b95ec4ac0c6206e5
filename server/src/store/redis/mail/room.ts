import { type Shard, settledWhereSome } from './shard.js';

/** For how long a look at all shards that found no room speaks for what comes then. */
const NO_ROOM_MS = 1_000;

/**
 * Makes room for mail that was refused: deletes what was cleared or has expired. In a cluster that asks every shard, so what a look has
 * found holds for a second: if there was no room, none is looked for, and what costs as much as what was refused is refused without a
 * question. Mail that expires within that second, or that this node deletes, ends it.
 */
export class Room {
  readonly #shards: readonly Shard[];
  /** Until when there is known to be none for so many bytes. */
  #noneUntil = Number.NEGATIVE_INFINITY;
  #noneFor = Number.POSITIVE_INFINITY;
  #deletions = 0;

  constructor(shards: readonly Shard[]) {
    this.#shards = shards;
  }

  /** Whether mail of this cost, in bytes, is known to have no room at `now`. The cost is asked for only where it matters. */
  isLacking(cost: () => number, now: number): boolean {
    return now < this.#noneUntil && cost() >= this.#noneFor;
  }

  deleted(): void {
    this.#deletions += 1;
    this.#noneUntil = Number.NEGATIVE_INFINITY;
  }

  /** Whether a look for room is of use at `now`; mail of this cost has just been refused. */
  isWorthALook(cost: () => number, now: number): boolean {
    if (now >= this.#noneUntil) return true;
    this.#noneFor = Math.min(this.#noneFor, cost());
    return false;
  }

  /** Deletes some of what has expired for longest at `now`; resolves to whether there was any. Mail of this cost has just been refused. */
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

  /** The shards that answer and have something expired, the longest first; and when the next thing expires. One shard is not asked. */
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
