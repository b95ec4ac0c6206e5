import { isMadeName } from 'mayfly-protocol/made-name';
import { BoundedMap } from '../base/bounded-map.js';
import { NamedError } from '../errors.js';

export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

export function rateText({ count, windowMs }: Rate): string {
  const isMinutes = windowMs % 60_000 === 0;
  return `${count} in ${isMinutes ? `${windowMs / 60_000} min` : `${windowMs / 1_000} s`}`;
}

/** A use could not be counted and must not proceed uncounted. A retry may succeed soon. */
export class NotCountedError extends NamedError {
  override name = 'NotCountedError';
}

/**
 * Counts uses in sliding windows (interface section 8, D12, D13). A refused use does not count, so a client that keeps
 * trying is served again as soon as its earliest use leaves the window. `now` is monotonic, in milliseconds. Rejects
 * only with a `NotCountedError`.
 */
export interface WindowCounter {
  /** Counts one use. Resolves to 0 if the use is allowed, otherwise to the milliseconds until it would be. */
  use(name: string, rate: Rate, now: number): Promise<number>;
  /** Resolves as `use` would, but counts nothing. */
  wait(name: string, rate: Rate, now: number): Promise<number>;
}

export interface Limiter {
  take(client: string, now: number): Promise<number>;
  wait(client: string, now: number): Promise<number>;
}

export function limiterOf(rate: Rate | null, windows: WindowCounter = new OwnWindows()): Limiter {
  if (rate === null) return { take: async () => 0, wait: async () => 0 };
  return {
    take: (client, now) => windows.use(client, rate, now),
    wait: (client, now) => windows.wait(client, rate, now),
  };
}

/** Maximum number of batches into which a client's uses are grouped. A batch leaves the window with its last use. */
const MAX_BATCHES = 64;

export function batchSizeOf(count: number): number {
  return Math.ceil(count / MAX_BATCHES);
}

type Batch = { readonly lastAt: number; readonly uses: number };

/** Maximum number of batches of uses in memory, for all names together; about 100 MB at worst. */
const MAX_REMEMBERED = 500_000;

/** Limits within this process. When full, forgets the names used longest ago, which makes no limit easier to evade. */
export class OwnWindows implements WindowCounter {
  readonly #batches = new BoundedMap<string, readonly Batch[]>(MAX_REMEMBERED, (batches) => batches.length);

  async use(name: string, rate: Rate, now: number): Promise<number> {
    const batches = this.#within(name, rate, now);
    const waitMs = waitOf(batches, rate, now);
    if (waitMs > 0) return waitMs;
    const last = batches.at(-1);
    const isOpen = last !== undefined && last.uses < batchSizeOf(rate.count);
    const next = { lastAt: now, uses: isOpen ? last.uses + 1 : 1 };
    this.#batches.set(name, [...(isOpen ? batches.slice(0, -1) : batches), next]);
    return 0;
  }

  async wait(name: string, rate: Rate, now: number): Promise<number> {
    return waitOf(this.#within(name, rate, now), rate, now);
  }

  #within(name: string, { windowMs }: Rate, now: number): readonly Batch[] {
    return (this.#batches.get(name) ?? []).filter(({ lastAt }) => lastAt > now - windowMs);
  }
}

function waitOf(batches: readonly Batch[], { count, windowMs }: Rate, now: number): number {
  const [first] = batches;
  const used = batches.reduce((sum, { uses }) => sum + uses, 0);
  return first === undefined || used < count ? 0 : first.lastAt + windowMs - now;
}

/** Each client may use `count` names immediately, and then one more every `windowMs / count`. */
export interface NameLimiter {
  /** Resolves like `WindowCounter.use`. A repeated name may count once, or each time, depending on the limiter. */
  take(client: string, name: string, now: number): Promise<number>;
  /** Takes back a name counted in this window, as if it had never been counted. */
  giveBack(client: string, name: string): Promise<void>;
}

/** Maximum number of clients remembered; about 20 MB at most. */
const MAX_CLIENTS = 100_000;

/** Leaky buckets of this process's clients. Stores only the time at which each bucket will be empty. */
export function nameBuckets({ count, windowMs }: Rate): NameLimiter {
  const shareMs = windowMs / count;
  const emptyTimes = new BoundedMap<string, number>(MAX_CLIENTS);
  return {
    async take(client, _name, now) {
      const emptyAt = Math.max(emptyTimes.get(client) ?? now, now) + shareMs;
      // Whole microseconds, because sums of shares are not exact.
      const waitMs = Math.round((emptyAt - now - windowMs) * 1_000) / 1_000;
      if (waitMs > 0) return waitMs;
      emptyTimes.set(client, emptyAt);
      return 0;
    },
    async giveBack(client) {
      const emptyAt = emptyTimes.get(client);
      if (emptyAt !== undefined) emptyTimes.set(client, emptyAt - shareMs);
    },
  };
}

/** Maximum number of names remembered, of all clients; about 30 MB. */
const MAX_NAMES = 200_000;

type Tried = { readonly at: number; isCounted: boolean };

/**
 * Limits the inbox names that a client tries in streams and reads, because a name is its inbox's secret (D15, D48).
 * Tests also try many names, but theirs receive mail. So a name counts once per window, and not at all once the client
 * finds an email there. Names made by the client library cannot be guessed and do not count (`isMadeName`). A counted
 * name does not count again within `windowMs`.
 */
export function triedNames(limiter: NameLimiter, windowMs: number) {
  /** Keyed by client and name, neither of which contains a space. If a name is evicted, its next try counts again. */
  const tried = new BoundedMap<string, Tried>(MAX_NAMES);
  const isRecent = (one: Tried | undefined, now: number) => one !== undefined && one.at > now - windowMs;
  return {
    /** Counts a client's try of a name, unless it was counted lately. Resolves like `NameLimiter.take`. */
    async take(client: string, name: string, now: number): Promise<number> {
      if (isMadeName(name)) return 0;
      const key = `${client} ${name}`;
      if (isRecent(tried.get(key), now)) return 0;
      // Set before the limiter answers, so that another try of the name meanwhile does not count.
      const own = { at: now, isCounted: true };
      tried.set(key, own);
      const waitMs = await limiter.take(client, name, now);
      if (waitMs > 0 && tried.get(key) === own) tried.delete(key);
      return waitMs;
    },

    /** Takes back the count of a name under which the client found an email, because the name was not guessed. */
    async found(client: string, name: string, now: number): Promise<void> {
      const own = tried.get(`${client} ${name}`);
      if (!own?.isCounted) return;
      own.isCounted = false;
      if (isRecent(own, now)) await limiter.giveBack(client, name);
    },
  };
}
