import type { NameLimiter, Rate } from './rate-limiter.js';

/** Clients remembered at once; some 20 MB at most. */
const MAX_CLIENTS = 100_000;

/** Least recently used clients that are examined to make room for another. */
const LOOKED_AT = 64;

/**
 * Counts names for each client of this process. A client's bucket holds as many names as the rate allows, and one
 * leaves it every `windowMs / count`: only the time at which it will be empty is kept.
 * Memory is bounded. When it runs out, an empty bucket, or the emptiest of the least recently used, is forgotten. A
 * full one never is, or a flood of made-up addresses would empty it.
 */
export class NameBuckets implements NameLimiter {
  readonly #rate: Rate | null;
  readonly #maxClients: number;
  readonly #shareMs: number;
  /** When each client's bucket is empty, the least recently used first. */
  readonly #emptyAt = new Map<string, number>();

  /** Without a rate everything is allowed. */
  constructor(rate: Rate | null, maxClients = MAX_CLIENTS) {
    this.#rate = rate;
    this.#maxClients = maxClients;
    this.#shareMs = rate === null ? 0 : rate.windowMs / rate.count;
  }

  /** The same name counts each time: callers that count it once filter before. */
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

  /** Milliseconds until a bucket takes one more; 0 for now. */
  #waitOf(emptyAt: number, now: number): number {
    const { windowMs } = this.#rate as Rate;
    // Whole microseconds: sums of shares are not exact.
    const waitMs = Math.round((emptyAt + this.#shareMs - now - windowMs) * 1_000) / 1_000;
    return Math.max(0, waitMs);
  }

  /** Returns 0 when one more client can be remembered, otherwise the milliseconds until then. */
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
