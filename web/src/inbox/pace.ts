import type { ServiceSettings } from 'mayfly-client';

/** Which part of the fetch limit may go into previews: others of the same address, such as tests, need the rest. */
const SHARE = 0.5;

/** Spaces requests out so far that they stay within a share of the fetch limit. */
export class Pace {
  readonly #count: number;
  readonly #windowMs: number;
  /** When the last requests were made, the oldest first. In milliseconds, as `performance.now` counts. */
  readonly #madeAt: number[] = [];

  constructor(limit: ServiceSettings['fetchLimit']) {
    this.#count = limit === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(limit.count * SHARE));
    this.#windowMs = limit?.windowMs ?? 0;
  }

  /** After how many milliseconds the next request may be made. */
  waitMs(now: number): number {
    const oldest = this.#madeAt.at(-this.#count);
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#windowMs - now);
  }

  /** Counts a request that is made at `now`. */
  take(now: number): void {
    while (this.#madeAt.length >= this.#count) this.#madeAt.shift();
    this.#madeAt.push(now);
  }
}
