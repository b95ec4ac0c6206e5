/** When the signals of deadlines are aborted at the latest, by `performance.now()`. */
const ends = new WeakMap<AbortSignal, number>();

/** Milliseconds until a deadline's signal is aborted; `Infinity` for any other signal. */
export function leftMs(signal: AbortSignal): number {
  return (ends.get(signal) ?? Number.POSITIVE_INFINITY) - performance.now();
}

/** A signal that is aborted after a time, or when its parent is. Its maker ends it. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #parentEnds: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number, parent?: AbortSignal) {
    const { signal } = this.#controller;
    // No listener on the parent: from the eleventh on Node would warn of a leak.
    this.signal = parent ? AbortSignal.any([signal, parent]) : signal;
    this.#parentEnds = parent && ends.get(parent);
    this.postpone(timeoutMs);
  }

  /** Begins the time anew. */
  postpone(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), timeoutMs);
    ends.set(this.signal, Math.min(performance.now() + timeoutMs, this.#parentEnds ?? Number.POSITIVE_INFINITY));
  }

  /** Resolves when it is over. */
  get over(): Promise<unknown> {
    return new Promise((resolve) => {
      this.signal.addEventListener('abort', resolve);
      if (this.signal.aborted) resolve(null);
    });
  }

  /** Stops the time, and whatever still runs under the signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}

/** Resolves after a time, or as soon as the signal is aborted. */
export async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  const time = new Deadline(delayMs, signal);
  await time.over;
  time.end();
}
