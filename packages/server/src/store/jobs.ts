import { StoreClosedError } from './store.js';

export class Jobs {
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  mustBeOpen(): void {
    if (this.#closed !== null) throw new StoreClosedError();
  }

  /** Runs work that `close` waits for; rejects as `mustBeOpen` throws. */
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

  /** Starts nothing more, and calls `letGo` once all work has ended or `late` resolves. Only the first call counts. */
  close(letGo: () => Promise<void>, late: () => Promise<void> = () => new Promise(() => {})): Promise<void> {
    this.#closed ??= Promise.race([Promise.allSettled(this.#running), late()]).then(letGo);
    return this.#closed;
  }
}
