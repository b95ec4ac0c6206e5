import type { MaybePromise } from '../base/maybe-promise.js';

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
export class NotCountedError extends Error {
  override name = 'NotCountedError';
}

/**
 * How often each client may do something. The one seam of all limits by rate: counts of this process answer with a
 * number, others with a promise. That rejects only with a `NotCountedError`, if a limit would rather refuse than count
 * in this process alone. `now` is in milliseconds of a clock that never goes back.
 */
export interface Limiter {
  /** Counts one use. Returns 0 when it is allowed, otherwise the milliseconds until the next one will be. */
  take(client: string, now: number): MaybePromise<number>;
  /** What `take` would return. Counts nothing. */
  wait(client: string, now: number): MaybePromise<number>;
}

/**
 * How many names each client may use: `count` at once, and again as many, evenly, in each `windowMs`. So a client
 * without names left may use the next one `windowMs / count` later, not only when the window is over. A name may count
 * once for all who count it, or each time.
 */
export interface NameLimiter {
  /** Counts one name. Returns as `Limiter.take`. */
  take(client: string, now: number, name: string): MaybePromise<number>;
  /** Takes back a name counted at `at`, as if it had never been. After a window it is gone anyway. */
  giveBack(client: string, at: number, now: number, name: string): MaybePromise<void>;
}
