import type { Clock } from '../../base/clock.js';
import { NoRoomError } from '../shared-counts.js';

/** How long whoever is counted waits for the store at most. */
const ANSWER_MS = 2_000;

/** How long a store that did not answer is left alone. Then one question finds out whether it does again. */
const PAUSE_MS = 1_000;

/**
 * Questions to a store of which nobody waits long for the answer: neither for one, nor, one after the other, for many while the store
 * is away.
 */
export class Questions {
  readonly #clock: Clock;
  readonly #onAway: (reason: unknown) => void;
  /** Why the store is left alone; null while it answers. */
  #trouble: unknown = null;
  #askAgainAt = 0;
  #isTrying = false;

  /** `onAway` is told why when the store has stopped answering, once until it answers again. */
  constructor(clock: Clock, onAway: (reason: unknown) => void) {
    this.#clock = clock;
    this.#onAway = onAway;
  }

  /** Resolves to the answer. Rejects with why there is none, at once where the store has just left a question unanswered. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    const isAway = this.#trouble !== null;
    if (isAway && (this.#isTrying || this.#clock.monotonic() < this.#askAgainAt)) throw this.#trouble;
    this.#isTrying = isAway;
    try {
      const answer = await this.#inTime(question());
      this.#trouble = null;
      return answer;
    } catch (error) {
      if (error instanceof NoRoomError) {
        this.#trouble = null;
        throw error;
      }
      if (this.#trouble === null) this.#onAway(error);
      this.#trouble = error;
      this.#askAgainAt = this.#clock.monotonic() + PAUSE_MS;
      throw error;
    } finally {
      if (isAway) this.#isTrying = false;
    }
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(ANSWER_MS, () => reject(new Error(`no reply for ${ANSWER_MS / 1_000} seconds`)));
      answer.then(resolve, reject).finally(cancel);
    });
  }
}
