/** A signal that is aborted after a time, or when its parent is. Whoever makes one ends it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #abort = () => this.#controller.abort(this.#parent?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number, parent?: AbortSignal) {
    this.#parent = parent;
    parent?.addEventListener('abort', this.#abort);
    if (parent?.aborted) this.#abort();
    else this.postpone(timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOver(): boolean {
    return this.signal.aborted;
  }

  /** Begins the time anew. */
  postpone(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, timeoutMs);
  }

  /** Stops the time, and whatever still runs under the signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener('abort', this.#abort);
    this.#abort();
  }
}

/** Resolves after a time, or as soon as the signal is aborted. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, delayMs);
    signal.addEventListener('abort', wake);
    if (signal.aborted) wake();
  });
}
