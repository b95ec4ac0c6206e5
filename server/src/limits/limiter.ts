import type { Soon } from '../soon.js';

/** At most `count` in any `windowMs`. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/**
 * How often each client may do something. The one seam of all limits by rate: what counts in this process answers with a
 * number, what counts somewhere else with a promise of one that never rejects. `now` is in milliseconds of a clock that never
 * goes back.
 */
export interface Limiter {
  /** Counts one use. Answers 0 when it is allowed, and otherwise after how many milliseconds the next one will be. */
  take(client: string, now: number): Soon<number>;
  /** What `take` would answer. Counts nothing. */
  wait(client: string, now: number): Soon<number>;
  /** Takes back one use that was counted at `at`, as if it had never been. A use that has left the window is gone anyway. */
  giveBack(client: string, at: number, now: number): Soon<void>;
}
