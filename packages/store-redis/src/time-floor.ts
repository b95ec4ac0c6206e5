import { monotonic } from './timers.js';

/** How far the floor may be ahead of the server's time. Limits what one node with a wrong clock does to the others. */
const MOST_AHEAD_MS = 5_000;

/**
 * The minimum `receivedAt` that a node assigns. After a reconnect, the server or its replacement may lack the newest
 * emails that readers have seen, and readers would miss mail with an earlier `receivedAt` than those. So the loss or
 * start of a connection raises this minimum above the current time and above all mail that this node has seen.
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

  /** The `receivedAt` for an email that is stored now. The inbox may require a later time. */
  atLeast(receivedAt: number): number {
    return Math.max(receivedAt, this.#floor);
  }
}
