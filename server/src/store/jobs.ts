import { StoreClosedError } from './store.js';

/** What a store has under way, which it finishes before it is closed. */
export class Jobs {
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  mustBeOpen(): void {
    if (this.#closed !== null) throw new StoreClosedError();
  }

  /** Runs what `close` has to wait for; rejects as `mustBeOpen` throws. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    this.mustBeOpen();
    const running = job();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Begins nothing more, and lets go of what the store holds when all has ended, or when it is too late. Only the first call does. */
  close(letGo: () => Promise<void>, late: () => Promise<void> = () => new Promise(() => {})): Promise<void> {
    this.#closed ??= Promise.race([Promise.allSettled(this.#running), late()]).then(letGo);
    return this.#closed;
  }
}
