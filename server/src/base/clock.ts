/** Time as Mayfly sees it, so that tests can give their own. */
export interface Clock {
  /** Milliseconds since the epoch. May go back. */
  now(): number;
  /** Milliseconds since some moment. Never goes back. */
  monotonic(): number;
  /** Milliseconds of processor time that the process has used, all of its threads together. */
  processor(): number;
  /** Calls `wake` once, after so many milliseconds, unless the returned function is called before. */
  after(delayMs: number, wake: () => void): () => void;
}

/** A clock that tells another's time of day as so many milliseconds later. What it measures stays the same. */
export function shiftedClock(clock: Clock, offsetMs: () => number): Clock {
  return { ...clock, now: () => clock.now() + offsetMs() };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  processor() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs);
    return () => clearTimeout(timer);
  },
};
