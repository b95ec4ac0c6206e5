import { isMadeName } from 'mayfly-protocol/made-name';
import { BoundedMap } from '../base/bounded-map.js';
import type { Rate } from './rate-limiter.js';

/**
 * How many names each client may use: `count` at once, and again as many, evenly, in each `windowMs`. So a client
 * without names left may use the next one `windowMs / count` later, not only when the window is over.
 */
export interface NameLimiter {
  /** Resolves as `WindowCounter.use`. A name may count once for all who count it, or each time. */
  take(client: string, name: string, now: number): Promise<number>;
  /** Takes back a name counted in this window, as if it had never been. */
  giveBack(client: string, name: string): Promise<void>;
}

/** Clients remembered at once; some 20 MB at most. */
const MAX_CLIENTS = 100_000;

/** Leaky buckets of the clients of this process: only the time at which each will be empty is kept. */
export class NameBuckets implements NameLimiter {
  readonly #windowMs: number;
  readonly #shareMs: number;
  readonly #emptyAt = new BoundedMap<string, number>(MAX_CLIENTS);

  constructor({ count, windowMs }: Rate) {
    this.#windowMs = windowMs;
    this.#shareMs = windowMs / count;
  }

  async take(client: string, _name: string, now: number): Promise<number> {
    const emptyAt = Math.max(this.#emptyAt.get(client) ?? now, now) + this.#shareMs;
    // Whole microseconds: sums of shares are not exact.
    const waitMs = Math.round((emptyAt - now - this.#windowMs) * 1_000) / 1_000;
    if (waitMs > 0) return waitMs;
    this.#emptyAt.set(client, emptyAt);
    return 0;
  }

  async giveBack(client: string): Promise<void> {
    const emptyAt = this.#emptyAt.get(client);
    if (emptyAt !== undefined) this.#emptyAt.set(client, emptyAt - this.#shareMs);
  }
}

/** Names of all clients remembered; some 30 MB at most. */
const MAX_NAMES = 200_000;

interface Tried {
  readonly at: number;
  isCounted: boolean;
}

/**
 * Inbox names that a client tries by streams and looks. A name is its inbox's secret (D15), so guessing has a limit
 * (D48), but tests open many streams. Mail tells them apart: a name counts once per window, and is given back when it
 * shows the client an email. Names made by the client library cannot be guessed and do not count (`isMadeName`).
 */
export class TriedNames {
  readonly #limiter: NameLimiter;
  readonly #windowMs: number;
  /** By client and name, without a space in either. A forgotten name would only count again. */
  readonly #tried = new BoundedMap<string, Tried>(MAX_NAMES);

  /** A counted name does not count again within `windowMs`. */
  constructor(limiter: NameLimiter, windowMs: number) {
    this.#limiter = limiter;
    this.#windowMs = windowMs;
  }

  /** Counts a client's try of a name, unless it has lately. Resolves as `NameLimiter.take`. */
  async take(client: string, name: string, now: number): Promise<number> {
    if (isMadeName(name)) return 0;
    const key = `${client} ${name}`;
    if (this.#isRecent(this.#tried.get(key), now)) return 0;
    // Noted before the answer: the same name at the same moment would count again.
    const tried = { at: now, isCounted: true };
    this.#tried.set(key, tried);
    const waitMs = await this.#limiter.take(client, name, now);
    if (waitMs > 0 && this.#tried.get(key) === tried) this.#tried.delete(key);
    return waitMs;
  }

  /** The name has shown the client an email, so it was not guessed. */
  async found(client: string, name: string, now: number): Promise<void> {
    const tried = this.#tried.get(`${client} ${name}`);
    if (!tried?.isCounted) return;
    tried.isCounted = false;
    if (this.#isRecent(tried, now)) await this.#limiter.giveBack(client, name);
  }

  #isRecent(tried: Tried | undefined, now: number): boolean {
    return tried !== undefined && tried.at > now - this.#windowMs;
  }
}
