import { isMadeName } from 'mayfly-protocol/made-name';
import { BoundedMap } from '../base/bounded-map.js';
import type { NameLimiter, Rate } from './rate-limiter.js';

/** Names of all clients remembered; some 30 MB at most. */
const MAX_NAMES = 200_000;

interface Tried {
  readonly at: number;
  countedAt: number | null;
}

/**
 * Inbox names that a client tries by streams and looks. A name is its inbox's secret (D15), so guessing has a limit
 * (D48), but tests open many streams. Mail tells them apart: a name counts once per window, and is given back when it
 * shows the client an email. Names made by the client library cannot be guessed and do not count (`isMadeName`).
 */
export class TriedNames {
  readonly #limiter: NameLimiter;
  readonly #windowMs: number;
  /** By client and name. When memory runs out, the name counted first is forgotten: it would only count again. */
  readonly #tried: BoundedMap<string, Tried>;

  /** A counted name does not count again within `windowMs`. */
  constructor(limiter: NameLimiter, windowMs: number, maxNames = MAX_NAMES) {
    this.#limiter = limiter;
    this.#windowMs = windowMs;
    this.#tried = new BoundedMap(maxNames);
  }

  /** Counts a client's try of a name, unless it has lately. Resolves as `Limiter.take`. */
  async take(client: string, name: string, now: number): Promise<number> {
    if (isMadeName(name)) return 0;
    const key = keyOf(client, name);
    const known = this.#tried.get(key);
    if (known !== undefined && known.at > now - this.#windowMs) return 0;
    // Noted before the answer: the same name at the same moment would count again.
    const tried = { at: now, countedAt: now };
    this.#tried.set(key, tried);
    const waitMs = await this.#limiter.take(client, now, name);
    if (waitMs > 0 && this.#tried.get(key) === tried) this.#tried.delete(key);
    return waitMs;
  }

  /** The name has shown the client an email, so it was not guessed. */
  async found(client: string, name: string, now: number): Promise<void> {
    const known = this.#tried.get(keyOf(client, name));
    if (known === undefined || known.countedAt === null) return;
    const { countedAt } = known;
    known.countedAt = null;
    await this.#limiter.giveBack(client, countedAt, now, name);
  }
}

/** Neither contains a space. */
function keyOf(client: string, name: string): string {
  return `${client} ${name}`;
}

/** Clients remembered at once; some 20 MB at most. */
const MAX_CLIENTS = 100_000;

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
  async take(client: string, now: number): Promise<number> {
    if (this.#rate === null) return 0;
    const known = this.#emptyAt.get(client);
    const waitMs = known === undefined ? this.#makeRoom(now) : this.#waitOf(known, now);
    if (waitMs > 0) return waitMs;
    this.#emptyAt.delete(client);
    this.#emptyAt.set(client, Math.max(known ?? now, now) + this.#shareMs);
    return 0;
  }

  async giveBack(client: string, at: number, now: number): Promise<void> {
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
