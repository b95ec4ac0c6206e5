/** Time as Mayfly sees it, so that tests can give their own. */
export interface Clock {
  /** Milliseconds since the epoch. May go back. */
  now(): number;
  /** Milliseconds since some moment. Never goes back. */
  monotonic(): number;
  /** Calls `wake` once, after so many milliseconds, unless the returned function is called before. */
  after(delayMs: number, wake: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs);
    return () => clearTimeout(timer);
  },
};
