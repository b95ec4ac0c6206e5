import { BoundedMap } from '../base/bounded-map.js';
import { NamedError } from '../base/named-error.js';

/** At most `count` in any `windowMs`. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/** A rate for people, such as "20 in 10 s". */
export function rateText({ count, windowMs }: Rate): string {
  const isMinutes = windowMs % 60_000 === 0;
  return `${count} in ${isMinutes ? `${windowMs / 60_000} min` : `${windowMs / 1_000} s`}`;
}

/** Something was not counted and must not proceed uncounted. A retry may succeed soon. */
export class NotCountedError extends NamedError {
  override name = 'NotCountedError';
}

/**
 * Counts uses of names in sliding windows (interface section 8, D12 and D13). A refused use does not count, so a client
 * that keeps asking is served again as soon as its earliest use leaves the window. `now` is in milliseconds of a clock
 * that never goes back. Rejects only with a `NotCountedError`, if a limit would rather refuse than count in this
 * process alone.
 */
export interface WindowCounter {
  /** Counts one use. Resolves to 0 when it is allowed, otherwise the milliseconds until the next one will be. */
  use(name: string, rate: Rate, now: number): Promise<number>;
  /** What `use` would resolve to. Counts nothing. */
  wait(name: string, rate: Rate, now: number): Promise<number>;
}

/** How often each client may do something. */
export interface Limiter {
  /** As `WindowCounter.use`. */
  take(client: string, now: number): Promise<number>;
  /** As `WindowCounter.wait`. */
  wait(client: string, now: number): Promise<number>;
}

/** Without a rate everything is allowed. */
export function limiterOf(rate: Rate | null, windows: WindowCounter = new OwnWindows()): Limiter {
  if (rate === null) return { take: async () => 0, wait: async () => 0 };
  return {
    take: (client, now) => windows.use(client, rate, now),
    wait: (client, now) => windows.wait(client, rate, now),
  };
}

/** Batches of a client's uses in a window. A use leaves with the last of its batch: never early, and a little late. */
const MAX_BATCHES = 64;

/** Uses remembered together at this limit. */
export function batchSizeOf(count: number): number {
  return Math.ceil(count / MAX_BATCHES);
}

interface Batch {
  readonly lastAt: number;
  readonly uses: number;
}

/** Batches remembered of all names; some 100 MB at the worst. */
const MAX_REMEMBERED = 500_000;

/**
 * Uses counted in this process. When there are too many, the names used longest ago are forgotten: who has so many
 * addresses as that takes could as well use each of them once.
 */
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
