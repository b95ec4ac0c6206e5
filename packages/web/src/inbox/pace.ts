import type { RateLimit } from 'mayfly-client';
import { pause } from '../ui/until.js';

/** How long an email must stay chosen before it is fetched, so that going through a list fetches none on the way. */
const REST_MS = 150;

/**
 * Spaces requests out so far that they stay within a share of a limit: others of the same address, such as tests, need
 * the rest.
 */
export class Pace {
  readonly #count: number;
  readonly #windowMs: number;
  /** When the last requests were made, the oldest first. In milliseconds, as `performance.now` counts. */
  readonly #madeAt: number[] = [];

  /** `limit` is null where there is none; `share` is from 0 to 1. */
  constructor(limit: RateLimit | null, share: number) {
    this.#count = limit === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(limit.count * share));
    this.#windowMs = limit?.windowMs ?? 0;
  }

  /** After how many milliseconds the next request may be made. */
  waitMs(now: number): number {
    const oldest = this.#madeAt.at(-this.#count);
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#windowMs - now);
  }

  /** Counts a request that is made at `now`. */
  take(now: number): void {
    if (this.#count === Number.POSITIVE_INFINITY) return;
    while (this.#madeAt.length >= this.#count) this.#madeAt.shift();
    this.#madeAt.push(now);
  }
}

/** Resolves when an email has been on screen for a moment and a request for it may be made, and counts it. */
export async function paced(pace: Pace, signal: AbortSignal): Promise<void> {
  await pause(REST_MS, signal);
  // Another request may have been counted meanwhile.
  for (let waitMs = pace.waitMs(performance.now()); waitMs > 0; waitMs = pace.waitMs(performance.now())) {
    await pause(waitMs, signal);
  }
  pace.take(performance.now());
}
