import { BoundedMap } from '../base/bounded-map.js';
import type { Taker } from '../inbox/inboxes.js';

/** Emails whose takers are remembered until their attempt is written down, a moment after they are on disk. */
const MAX_EARLY = 1_000;

/** How old such an email may be: one that is older came before this process, or its attempt is forgotten. */
const EARLY_MS = 10_000;

export interface EarlyTaker extends Taker {
  readonly monotonic: number;
}

/**
 * Who took an email before its attempt was written down: a stream that waits has an email before its sender hears of
 * it.
 */
export class EarlyTakers {
  readonly #takers = new BoundedMap<string, readonly EarlyTaker[]>(MAX_EARLY);

  note(inbox: string, receivedAt: number, taker: EarlyTaker, now: number): void {
    if (receivedAt < now - EARLY_MS) return;
    const key = keyOf(inbox, receivedAt);
    const known = this.#takers.get(key) ?? [];
    if (!known.some(({ way }) => way === taker.way)) this.#takers.set(key, [...known, taker]);
  }

  /** Those that are known, once. */
  take(inbox: string, receivedAt: number): readonly EarlyTaker[] {
    if (this.#takers.size === 0) return [];
    const key = keyOf(inbox, receivedAt);
    const known = this.#takers.get(key);
    if (known === undefined) return [];
    this.#takers.delete(key);
    return known;
  }
}

function keyOf(inbox: string, receivedAt: number): string {
  return `${receivedAt} ${inbox}`;
}
