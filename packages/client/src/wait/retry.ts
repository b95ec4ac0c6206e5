import { FIRST_PAUSE_MS, LEAST_PAUSE_MS } from './bounds.js';
import { leftMs, sleep } from './deadline.js';
import { MayflyNetworkError, MayflyResponseError } from './errors.js';

export { SHORTEST_STREAM_MS } from './bounds.js';

const LONGEST_PAUSE_MS = 2_000;

/** Maximum addition to a requested pause, so that clients with the same answer do not return at the same time. */
const RETRY_SPREAD = 0.25;

export function isPassing(error: unknown): boolean {
  if (error instanceof MayflyResponseError) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof MayflyNetworkError;
}

/**
 * Milliseconds after consecutive failures, given the last: as the server asks, or longer each time. If it asks for more
 * than the time left, half of that: other clients may have freed a place. Chance spreads clients that fail together.
 */
export function pauseMs(failures: number, error: unknown, left = Number.POSITIVE_INFINITY): number {
  const retryAfterMs = (error as Partial<MayflyResponseError> | null)?.retryAfterMs;
  const random = Math.random();
  if (!retryAfterMs) return Math.min((FIRST_PAUSE_MS / 2) * 2 ** failures, LONGEST_PAUSE_MS) * (1 - random / 2);
  const pauseMs = retryAfterMs * (1 + random * RETRY_SPREAD);
  return pauseMs < left ? pauseMs : Math.max(left / 2, LEAST_PAUSE_MS);
}

/** Tries until it succeeds or is aborted. Rejects with the last failure, or immediately with a permanent one. */
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
