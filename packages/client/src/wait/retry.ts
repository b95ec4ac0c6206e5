import { FIRST_PAUSE_MS, LEAST_PAUSE_MS } from './bounds.js';
import { leftMs, sleep } from './deadline.js';
import { MayflyNetworkError, MayflyResponseError } from './errors.js';

export { SHORTEST_STREAM_MS } from './bounds.js';

const LONGEST_PAUSE_MS = 2_000;

/** Maximum random addition to a requested pause, so that clients do not all return at the same time. */
const RETRY_SPREAD = 0.25;

export function isPassing(error: unknown): boolean {
  if (error instanceof MayflyResponseError) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof MayflyNetworkError;
}

/**
 * A random pause in milliseconds before a retry: at least what the server requests, or else longer after each failure.
 * If less time is left than the server requests, half of what is left: the server may accept requests earlier.
 */
export function pauseMs(failures: number, error: unknown, left = Number.POSITIVE_INFINITY): number {
  const retryAfterMs = (error as Partial<MayflyResponseError> | null)?.retryAfterMs;
  const random = Math.random();
  if (!retryAfterMs) return Math.min((FIRST_PAUSE_MS / 2) * 2 ** failures, LONGEST_PAUSE_MS) * (1 - random / 2);
  const pauseMs = retryAfterMs * (1 + random * RETRY_SPREAD);
  return pauseMs < left ? pauseMs : Math.max(left / 2, LEAST_PAUSE_MS);
}

/** Retries until success or abort. Rejects with the last failure, or immediately with a permanent one. */
export async function retried<T>(signal: AbortSignal, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
  let trouble: unknown;
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(signal);
    } catch (error) {
      if (!signal.aborted) trouble = error;
      trouble ??= error;
      if (!isPassing(trouble)) throw trouble;
      await sleep(pauseMs(failures, trouble, leftMs(signal)), signal);
      if (signal.aborted) throw trouble;
    }
  }
}
