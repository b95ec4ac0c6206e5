import type { MaybePromise } from '../base/maybe-promise.js';

/** At most `count` in any `windowMs`. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/** A rate as people read it, such as "20 in 10 s". */
export function rateText({ count, windowMs }: Rate): string {
  const isMinutes = windowMs % 60_000 === 0;
  return `${count} in ${isMinutes ? `${windowMs / 60_000} min` : `${windowMs / 1_000} s`}`;
}

/** What was to be counted was not, and must not go on uncounted. It may be counted again in a moment. */
export class NotCountedError extends Error {
  override name = 'NotCountedError';
}

/**
 * How often each client may do something. The one seam of all limits by rate: what counts in this process answers with a
 * number, what counts somewhere else with a promise of one. That rejects with a `NotCountedError` where a limit would
 * rather refuse than count in this process alone, and with nothing else. `now` is in milliseconds of a clock that never goes back.
 */
export interface Limiter {
  /** Counts one use. Answers 0 when it is allowed, and otherwise after how many milliseconds the next one will be. */
  take(client: string, now: number): MaybePromise<number>;
  /** What `take` would answer. Counts nothing. */
  wait(client: string, now: number): MaybePromise<number>;
}

/**
 * How many names each client may use: `count` at once, and again as many, evenly, in each `windowMs`. So a client that has used up
 * its names may use the next one `windowMs / count` later, and not only when the window is over. A name may count once for all who
 * count it, or each time.
 */
export interface NameLimiter {
  /** Counts one name. Answers as `Limiter.take`. */
  take(client: string, now: number, name: string): MaybePromise<number>;
  /** Takes back a name that was counted at `at`, as if it had never been. One that was counted a window ago is gone anyway. */
  giveBack(client: string, at: number, now: number, name: string): MaybePromise<void>;
}
