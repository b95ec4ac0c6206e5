/** How much is left to be taken back at most, and how much of it is tried in one step. */
const MAX_LEFT = 10_000;
const MAX_AT_ONCE = 100;

/**
 * Takes back what some buckets have of deliveries that others refused: at once, or where a bucket cannot be reached, with each step of
 * cleaning up until it can be. A node that dies leaves it there.
 */
export class TakingBack {
  readonly #left: (() => Promise<void>)[] = [];

  /** Resolves once it is done or put off. */
  async takeBack(job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch {
      // Whoever sent it is told the reason anyway.
      if (this.#left.length < MAX_LEFT) this.#left.push(job);
    }
  }

  /** Tries again what was put off. */
  async again(): Promise<void> {
    await Promise.all(this.#left.splice(0, MAX_AT_ONCE).map((job) => this.takeBack(job)));
  }
}
