/**
 * Who waits for mail of which inbox, in this process. Mail that another process put into a shared store is not announced
 * here; whoever waits finds it at the next check of its schedule.
 */
export class Arrivals {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** For how many inboxes somebody waits. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Calls `wake` at every arrival in an inbox until the returned function is called. */
  watch(inbox: string, wake: () => void): () => void {
    const wakes = this.#waiting.get(inbox) ?? new Set();
    this.#waiting.set(inbox, wakes.add(wake));
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0 && this.#waiting.get(inbox) === wakes) this.#waiting.delete(inbox);
    };
  }

  /** Tells whoever waits that an inbox has new mail, which a read must already find. */
  announce(inbox: string): void {
    for (const wake of this.#waiting.get(inbox) ?? []) wake();
  }
}
