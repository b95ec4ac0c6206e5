import type { RateLimit } from 'mayfly-client';
import { pause } from '../ui/until.js';

/** How long an email must stay chosen before it is fetched, so that moving through a list fetches none. */
const REST_MS = 150;

/** Keeps requests within a share of a limit, because tests with the same IP address need the rest. */
export class Pace {
  readonly #count: number;
  readonly #windowMs: number;
  /** The times of the last requests, oldest first, by `performance.now`. */
  readonly #madeAt: number[] = [];

  /** `share` is the part of the limit that the requests may use, from 0 to 1. */
  constructor(limit: RateLimit | null, share: number) {
    this.#count = limit === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(limit.count * share));
    this.#windowMs = limit?.windowMs ?? 0;
  }

  waitMs(now: number): number {
    const oldest = this.#madeAt.at(-this.#count);
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#windowMs - now);
  }

  take(now: number): void {
    if (this.#count === Number.POSITIVE_INFINITY) return;
    while (this.#madeAt.length >= this.#count) this.#madeAt.shift();
    this.#madeAt.push(now);
  }
}

/** Waits until an email has been on screen for a moment and a request is allowed, and counts the request. */
export async function paced(pace: Pace, signal: AbortSignal): Promise<void> {
  await pause(REST_MS, signal);
  // Another request may have been counted in the meantime.
  for (let waitMs = pace.waitMs(performance.now()); waitMs > 0; waitMs = pace.waitMs(performance.now())) {
    await pause(waitMs, signal);
  }
  pace.take(performance.now());
}
