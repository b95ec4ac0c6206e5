import type { NameLimiter, Rate } from './limiter.js';

/** How many clients are remembered at once; some 20 MB at the most. */
const MAX_CLIENTS = 100_000;

/** How many of those that were not heard of for the longest are looked at to make room for another. */
const LOOKED_AT = 64;

/**
 * Counts names for each client of this process. A client's bucket holds as many names as the rate allows, and one leaves it every
 * `windowMs / count`: of a bucket, only the time at which it will be empty is kept.
 *
 * Memory is bounded. Where it runs out, a bucket that is empty, or the emptiest of those that were not used for the longest, is
 * forgotten; a full one never is, for otherwise a flood of made-up addresses would empty it.
 */
export class NameBuckets implements NameLimiter {
  readonly #rate: Rate | null;
  readonly #maxClients: number;
  /** How long it takes for one name to leave. */
  readonly #shareMs: number;
  /** When the bucket of each client is empty, which was not used for the longest first. */
  readonly #emptyAt = new Map<string, number>();

  /** Without a rate everything is allowed. */
  constructor(rate: Rate | null, maxClients = MAX_CLIENTS) {
    this.#rate = rate;
    this.#maxClients = maxClients;
    this.#shareMs = rate === null ? 0 : rate.windowMs / rate.count;
  }

  /** Whoever counts each name once does so before: here the same name counts each time. */
  take(client: string, now: number): number {
    if (this.#rate === null) return 0;
    const known = this.#emptyAt.get(client);
    const waitMs = known === undefined ? this.#makeRoom(now) : this.#waitOf(known, now);
    if (waitMs > 0) return waitMs;
    this.#emptyAt.delete(client);
    this.#emptyAt.set(client, Math.max(known ?? now, now) + this.#shareMs);
    return 0;
  }

  giveBack(client: string, at: number, now: number): void {
    const emptyAt = this.#emptyAt.get(client);
    if (this.#rate === null || emptyAt === undefined || at <= now - this.#rate.windowMs) return;
    this.#emptyAt.set(client, emptyAt - this.#shareMs);
  }

  /** In how many milliseconds a bucket takes one more; 0 for now. */
  #waitOf(emptyAt: number, now: number): number {
    const { windowMs } = this.#rate as Rate;
    // Whole microseconds: sums of shares are not exact.
    const waitMs = Math.round((emptyAt + this.#shareMs - now - windowMs) * 1_000) / 1_000;
    return Math.max(0, waitMs);
  }

  /** Returns 0 when one more client can be remembered, otherwise in how many milliseconds that may be. */
  #makeRoom(now: number): number {
    if (this.#emptyAt.size < this.#maxClients) return 0;
    let [emptiest, emptyAt] = ['', Number.POSITIVE_INFINITY];
    let looked = 0;
    for (const [client, at] of this.#emptyAt) {
      if (at < emptyAt) [emptiest, emptyAt] = [client, at];
      looked += 1;
      if (at <= now || looked === LOOKED_AT) break;
    }
    const waitMs = this.#waitOf(emptyAt, now);
    if (waitMs === 0) this.#emptyAt.delete(emptiest);
    return waitMs;
  }
}
