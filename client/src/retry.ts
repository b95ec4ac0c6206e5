import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from './bounds.js';
import { sleep } from './deadline.js';
import { MayflyNetworkError, MayflyRateLimitError, MayflyResponseError } from './errors.js';

export { SHORTEST_STREAM_MS } from './bounds.js';

/** Whether what went wrong may be gone the next time. */
export function isPassing(error: unknown): boolean {
  if (error instanceof MayflyResponseError) return error.status === 429 || error.status >= 500;
  return error instanceof MayflyNetworkError;
}

/** How long to pause after so many failures in a row, the last of which is given: as the server asks, else ever longer. */
export function pauseMs(failures: number, error: unknown): number {
  if (error instanceof MayflyRateLimitError) return error.retryAfterMs;
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

/** Tries until it works or the signal is aborted. Rejects with the last failure, or at once with one that does not pass. */
export async function retried<T>(signal: AbortSignal, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  let trouble: unknown;
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(signal);
    } catch (error) {
      // An attempt that is cut short says less than what went wrong before.
      if (!signal.aborted) trouble = error;
      trouble ??= error;
      if (!isPassing(trouble)) throw trouble;
      await sleep(pauseMs(failures, trouble), signal);
      if (signal.aborted) throw trouble;
    }
  }
}
