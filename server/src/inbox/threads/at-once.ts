import type { Clock } from '../../base/clock.js';
import type { Composed, Composition } from './composition.js';
import { sampleMail, WARM_UP_MAILS } from './sample-mail.js';

export type Compose = (composition: Composition) => Composed;

/** Larger messages are never read on the event loop. */
export const AT_ONCE_BYTES = 16 * 1024;

/** After reading for so long the event loop reads nothing for so many times as long: it is there for others, too (D22). */
const PAUSE_FACTOR = 1;

/**
 * The same after a message that took longer than this, whatever it was. So somebody who sends what is costly, from as many
 * addresses as may be, takes a hundredth of the event loop's time. A mail of HTML takes less than 1 ms, and up to 3 ms on a machine
 * whose processors others use too.
 */
const COSTLY_MS = 4;
const COSTLY_PAUSE_FACTOR = 100;

/**
 * Reads small messages on the event loop while nothing else is going on: for a single mail, handing it to a thread and
 * waking up again costs more than reading it.
 */
export class AtOnce {
  readonly #clock: Clock;
  readonly #load: () => Promise<Compose>;
  #compose: Compose | null = null;
  /** Nothing is read before this time of the monotonic clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** `load` gives what reads. Until `warmUp`, nothing is read here. */
  constructor(clock: Clock, load: () => Promise<Compose>) {
    this.#clock = clock;
    this.#load = load;
  }

  /** Loads what reads and lets it be compiled, with turns for others in between. Afterwards small messages are read here. */
  async warmUp(): Promise<void> {
    const compose = await this.#load();
    const sample = sampleMail();
    for (let mails = 0; mails < WARM_UP_MAILS; mails += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      compose(sample);
    }
    this.#compose = compose;
  }

  /** Whether a message of so many bytes may be read here now, provided that nothing else is being read. */
  mayRead(bytes: number): boolean {
    return this.#compose !== null && bytes <= AT_ONCE_BYTES && this.#clock.monotonic() >= this.#pausedUntil;
  }

  read(composition: Composition): Composed {
    if (this.#compose === null) throw new Error('Nothing is read on the event loop yet.');
    const startedAt = this.#clock.monotonic();
    const usedBefore = this.#clock.processor();
    try {
      return this.#compose(composition);
    } finally {
      const now = this.#clock.monotonic();
      // Where the system lets others run meanwhile, the message is not to blame; nor is it for what other threads of ours do.
      const usedMs = Math.min(now - startedAt, this.#clock.processor() - usedBefore);
      this.#pausedUntil = now + usedMs * (usedMs > COSTLY_MS ? COSTLY_PAUSE_FACTOR : PAUSE_FACTOR);
    }
  }
}
