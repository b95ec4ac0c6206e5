import type { RateLimit } from 'mayfly-client';
import { pause } from '../ui/until.js';

/** How long an email must stay chosen before it is fetched, so that moving through a list fetches none. */
export const REST_MS = 150;

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

  /** Waits at least `leastMs`, and until a request is allowed. Then counts the request. */
  async turn(signal: AbortSignal, leastMs = 0): Promise<void> {
    let waitMs = Math.max(leastMs, this.#waitMs());
    // Another request may be counted during each pause.
    for (; waitMs > 0; waitMs = this.#waitMs()) await pause(waitMs, signal);
    if (this.#count === Number.POSITIVE_INFINITY) return;
    while (this.#madeAt.length >= this.#count) this.#madeAt.shift();
    this.#madeAt.push(performance.now());
  }

  #waitMs(): number {
    const oldest = this.#madeAt.at(-this.#count);
    return oldest === undefined ? 0 : oldest + this.#windowMs - performance.now();
  }
}
