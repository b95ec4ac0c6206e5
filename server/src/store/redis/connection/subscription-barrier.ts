import type { Link } from './link.js';
import { noticingDelay, pause } from './timers.js';

/** How long after one question the next goes out at the earliest: all who ask in between share its answer. */
const ASK_EVERY_MS = 50;

const ANSWER_MS = 1_000;

/** After how long without an answer the connection is made anew: it may be one that has nobody at its other end. */
const SILENT_MS = 10_000;

/** Whether all that a server sent has been received: messages come in order, so the answer to a PING proves it. */
export class SubscriptionBarrier {
  readonly #link: Link;
  /** The answer to the question that goes out next; null where nobody has asked since the last one. */
  #next: Promise<boolean> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(link: Link) {
    this.#link = link;
  }

  /** Resolves to whether all that the server had said when this was called is received; false where it does not answer in time. */
  isUpToDate(): Promise<boolean> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  async #askNext(): Promise<boolean> {
    await this.#last;
    // Whoever comes from now on may mean what is said behind this question.
    this.#next = null;
    const answer = this.#ask();
    this.#last = Promise.all([answer, pause(ASK_EVERY_MS)]);
    return answer;
  }

  async #ask(): Promise<boolean> {
    const { client } = this.#link;
    if (!client.isReady) return false;
    const isStillUsed = () => client === this.#link.client;
    const answered = client.sendCommand(['PING']).then(
      () => isStillUsed() && client.isReady,
      () => false,
    );
    const renew = () => {
      if (isStillUsed()) this.#link.renew();
    };
    return Promise.race([noticingDelay(SILENT_MS, answered, renew), pause(ANSWER_MS).then(() => false)]);
  }
}
