import type { Soon } from '../soon.js';

/** At most `count` in any `windowMs`. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
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
  take(client: string, now: number): Soon<number>;
  /** What `take` would answer. Counts nothing. */
  wait(client: string, now: number): Soon<number>;
}

/** How many names each client may use. A name may count once for all who count it, or each time. */
export interface NameLimiter {
  /** Counts one name. Answers as `Limiter.take`. */
  take(client: string, now: number, name: string): Soon<number>;
  /** Takes back a name that was counted at `at`, as if it had never been. One that has left the window is gone anyway. */
  giveBack(client: string, at: number, now: number, name: string): Soon<void>;
}
