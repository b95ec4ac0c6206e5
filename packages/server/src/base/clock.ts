/** Time as Mayfly sees it; tests pass their own clock. */
export interface Clock {
  /** Milliseconds since the epoch. May go back. */
  now(): number;
  /** Milliseconds since some moment. Never goes back. */
  monotonic(): number;
  /** Calls `wake` once after `delayMs`, soon if that is negative, unless the returned function is called first. */
  after(delayMs: number, wake: () => void): () => void;
}

/** A clock whose time of day differs from `clock`'s by an offset. Its monotonic time is the same. */
export function shiftedClock(clock: Clock, offsetMs: () => number): Clock {
  return { ...clock, now: () => clock.now() + offsetMs() };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, wake) {
    // Newer versions of Node print a warning about a negative delay, as after a stall of the event loop.
    const timer = setTimeout(wake, Math.max(delayMs, 0));
    return () => clearTimeout(timer);
  },
};

/** Rejects if the work takes longer than `limitMs`. Does not end the work. */
export async function inTime<T>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  work: () => Promise<T>,
  tooLate: () => Error = () => new Error(`it took more than ${limitMs / 1_000} s`),
): Promise<T> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(limitMs, () => reject(tooLate()));
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    cancel();
  }
}
