import type { Clock } from '../../base/clock.js';
import { NoRoomError, type SharedCounts } from '../shared-counts.js';

/** Something that all nodes count together, for each client. */
export interface SharedCount {
  readonly counts: SharedCounts;
  readonly questions: Questions;
  /** What is counted; each client has its own count. */
  readonly name: string;
}

/** A client's count in the store. */
export function countOf({ name }: SharedCount, client: string): string {
  return `${name}:${client}`;
}

/** How long a caller waits for the store. */
const ANSWER_MS = 2_000;

/** How long a silent store is left alone. Then one question tests it. */
const PAUSE_MS = 1_000;

/** Questions to a store with a bounded wait: for one answer, and for many in turn while the store is away. */
export class Questions {
  readonly #clock: Clock;
  readonly #onAway: (reason: unknown) => void;
  /** Why the store is left alone; null while it answers. */
  #trouble: unknown = null;
  #askAgainAt = 0;
  #isTrying = false;

  /** `onAway` is told why the store stopped answering, once until it answers again. */
  constructor(clock: Clock, onAway: (reason: unknown) => void) {
    this.#clock = clock;
    this.#onAway = onAway;
  }

  /** Rejects with why there is no answer, at once if the store has just left a question unanswered. */
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
