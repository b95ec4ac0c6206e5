/** A signal that is aborted after a time, or when its parent is. Whoever makes one ends it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #leaveParent: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Without a time, it is over when its parent is, or when it is ended. */
  constructor(timeoutMs: number | null, parent?: AbortSignal) {
    const abort = () => this.#controller.abort(parent?.reason);
    this.#leaveParent = parent === undefined ? () => {} : onAbort(parent, abort);
    if (parent?.aborted) abort();
    else if (timeoutMs !== null) this.postpone(timeoutMs);
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
    this.#timer = setTimeout(() => this.#controller.abort(), timeoutMs);
  }

  /** Stops the time, and whatever still runs under the signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#leaveParent();
    this.#controller.abort();
  }
}

/** Resolves after a time, or as soon as the signal is aborted. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      leave();
      resolve();
    };
    const timer = setTimeout(wake, delayMs);
    const leave = onAbort(signal, wake);
    if (signal.aborted) wake();
  });
}

interface Hearers {
  readonly callbacks: Set<() => void>;
  tell(): void;
}

const hearers = new WeakMap<AbortSignal, Hearers>();

/**
 * Has something called when a signal is aborted; answers what takes that back. Each signal gets one listener, however many wait with
 * it: from the eleventh on Node would warn of a leak.
 */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const own = hearers.get(signal) ?? newHearers(signal);
  own.callbacks.add(callback);
  return () => {
    own.callbacks.delete(callback);
    if (own.callbacks.size > 0) return;
    signal.removeEventListener('abort', own.tell);
    if (hearers.get(signal) === own) hearers.delete(signal);
  };
}

function newHearers(signal: AbortSignal): Hearers {
  const callbacks = new Set<() => void>();
  const own = {
    callbacks,
    tell() {
      for (const callback of [...callbacks]) callback();
    },
  };
  signal.addEventListener('abort', own.tell);
  hearers.set(signal, own);
  return own;
}
