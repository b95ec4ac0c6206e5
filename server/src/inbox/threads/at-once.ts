import type { Clock } from '../../base/clock.js';
import type { IngestedMail, ReceivedMail } from './ingested-mail.js';
import { sampleMail, WARM_UP_MAILS } from './sample-mail.js';

export type Ingest = (mail: ReceivedMail) => IngestedMail;

/** Larger messages are never read on the event loop. */
export const AT_ONCE_BYTES = 16 * 1024;

/**
 * After reading, the event loop reads nothing for this many times as long: it serves others, too (D22).
 */
const PAUSE_FACTOR = 1;

/**
 * The same after a second message that took longer than this, whatever it was. So those who send what is costly, from
 * as many addresses as may be, take a fiftieth of the event loop's time. A mail of HTML takes less than 1 ms, and up to
 * 3 ms on a machine whose processors others use too. One alone that takes longer is more often V8 at work than the
 * message, and a pause begins a thread, which costs as much as a hundred mails.
 */
const COSTLY_MS = 4;
const COSTLY_PAUSE_FACTOR = 100;

/**
 * Reads small messages on the event loop: one that comes alone, since handing it to a thread and waking up again costs
 * more than reading it; and all of them while there is no thread, which takes a processor for a while, and 18 MB.
 */
export class AtOnce {
  readonly #clock: Clock;
  readonly #load: () => Promise<Ingest>;
  #loading: Promise<void> | null = null;
  #ingest: Ingest | null = null;
  /** How many messages were read, samples among them. */
  #messages = 0;
  /** Before this time of the monotonic clock, another costly message is a second one. */
  #suspectUntil = Number.NEGATIVE_INFINITY;
  /** Nothing is read before this time of the monotonic clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** `load` gives what reads. */
  constructor(clock: Clock, load: () => Promise<Ingest>) {
    this.#clock = clock;
    this.#load = load;
  }

  get isLoaded(): boolean {
    return this.#ingest !== null;
  }

  /** Loads what reads, once. To be awaited before `read`. Rejects when it cannot be loaded. */
  load(): Promise<void> {
    this.#loading ??= this.#load().then((ingest) => {
      this.#ingest = ingest;
    });
    return this.#loading;
  }

  /**
   * Loads what reads and has it compiled before the first message comes, with turns for others in between. Stops at the
   * first message, which does the same.
   */
  async warmUp(): Promise<void> {
    await this.load();
    const sample = sampleMail();
    const isFirst = () => this.#messages === 0;
    for (let mails = 0; mails < WARM_UP_MAILS && isFirst(); mails += 1) {
      this.#ingest?.(sample);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isFirst()) this.#messages = WARM_UP_MAILS;
  }

  /** For how many milliseconds the event loop is for others before it may read again. */
  pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.monotonic());
  }

  /** Reads a message of `AT_ONCE_BYTES` at most, when there is no pause. Throws what reading it does. */
  read(mail: ReceivedMail): IngestedMail {
    if (this.#ingest === null) throw new Error('What reads on the event loop is not loaded.');
    const startedAt = this.#clock.monotonic();
    const usedBefore = this.#clock.processor();
    try {
      return this.#ingest(mail);
    } finally {
      const now = this.#clock.monotonic();
      // Where the system lets others run meanwhile, the message is not to blame; nor is it for what other threads of
      // ours do.
      const usedMs = Math.min(now - startedAt, this.#clock.processor() - usedBefore);
      // The first ones take long because nothing is compiled yet.
      const isCostly = usedMs > COSTLY_MS && this.#messages >= WARM_UP_MAILS;
      this.#messages += 1;
      const isSecond = isCostly && startedAt < this.#suspectUntil;
      if (isCostly) this.#suspectUntil = now + usedMs * COSTLY_PAUSE_FACTOR;
      this.#pausedUntil = now + usedMs * (isSecond ? COSTLY_PAUSE_FACTOR : PAUSE_FACTOR);
    }
  }
}
