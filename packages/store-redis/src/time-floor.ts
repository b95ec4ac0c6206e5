import { monotonic } from './timers.js';

/** How far ahead of the time an observed `receivedAt` still counts: a wrong clock must not carry others along. */
const MOST_AHEAD_MS = 5_000;

/**
 * The least `receivedAt` that a node gives. A server that comes back, or its replacement, may lack what was shown last,
 * and mail on its way came before that. So mail stored after a connection was lost or remade comes later than all that
 * this node has seen, and than that moment.
 */
export class TimeFloor {
  #now = Number.NEGATIVE_INFINITY;
  #toldAt = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #floor = Number.NEGATIVE_INFINITY;

  told(now: number): void {
    [this.#now, this.#toldAt] = [now, monotonic()];
  }

  saw(receivedAt: number): void {
    if (receivedAt > this.#latest) this.#latest = receivedAt;
  }

  raise(): void {
    const now = Math.ceil(this.#now + monotonic() - this.#toldAt);
    this.#floor = Math.max(this.#floor, now, Math.min(this.#latest + 1, now + MOST_AHEAD_MS));
  }

  /** The `receivedAt` of mail that came at `receivedAt` and is stored now, unless its inbox has a later one. */
  atLeast(receivedAt: number): number {
    return Math.max(receivedAt, this.#floor);
  }
}
