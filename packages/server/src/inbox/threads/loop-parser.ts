import type { Clock } from '../../base/clock.js';

/** Larger messages are never parsed on the event loop. */
export const LOOP_BYTES = 16 * 1024;

/** HTML takes less than 1 ms, and up to 3 ms on a shared processor. */
const COSTLY_MS = 4;

/** Costly messages take this part of the event loop's time, from however many addresses they come, */
const COSTLY_SHARE = 1 / 50;

/** and this much in advance: the first messages of a process are costly because nothing is compiled yet. */
const COSTLY_ADVANCE_MS = 1_000;

/** Parses small messages on the event loop, with a rest after each in which the loop serves others. */
export class LoopParser {
  readonly #clock: Clock;
  #advanceMs = COSTLY_ADVANCE_MS;
  #endedAt: number;
  #restsUntil: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#endedAt = this.#restsUntil = clock.monotonic();
  }

  restMs(): number {
    return Math.max(0, this.#restsUntil - this.#clock.monotonic());
  }

  /** Only outside of a rest. */
  parse<T>(parse: () => T): { readonly outcome: T | Error; readonly usedMs: number } {
    const startedAt = this.#clock.monotonic();
    const usedBefore = this.#clock.processor();
    const outcome = outcomeOf(parse);
    const now = this.#clock.monotonic();
    // Other programs and our other threads are not the message's fault.
    const usedMs = Math.min(now - startedAt, this.#clock.processor() - usedBefore);
    const earnedMs = (now - this.#endedAt) * COSTLY_SHARE;
    this.#advanceMs = Math.min(this.#advanceMs + earnedMs, COSTLY_ADVANCE_MS);
    if (usedMs > COSTLY_MS) this.#advanceMs -= usedMs;
    this.#restsUntil = now + Math.max(usedMs, -this.#advanceMs / COSTLY_SHARE);
    this.#endedAt = now;
    return { outcome, usedMs };
  }
}

function outcomeOf<T>(parse: () => T): T | Error {
  try {
    return parse();
  } catch (error) {
    return error as Error;
  }
}
