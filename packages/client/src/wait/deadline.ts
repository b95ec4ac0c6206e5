import { clearTimeout, now, setTimeout } from './real-time.js';

/** How long what an error needs may take to load, from when the error is made. */
export const LOADED_MS = 5_000;

/** A late timer shows that this process was blocked. It gets the time back, because it reads data after its timers. */
const LATE_MS = 100;
const MAX_LATE_MS = 2_000;

/** When the signals of deadlines are aborted at the latest, by `now()`. */
const ends = new WeakMap<AbortSignal, number>();

/** Milliseconds until a deadline's signal is aborted; `Infinity` for any other signal. */
export function leftMs(signal: AbortSignal): number {
  return (ends.get(signal) ?? Number.POSITIVE_INFINITY) - now();
}

// The deadlines below a signal, with one listener: from the eleventh on Node would warn of a leak. `AbortSignal.any`
// would refuse a signal of another realm, such as one of Node in a test with jsdom.
class Below extends Set<Deadline> {
  handleEvent(): void {
    for (const deadline of this) deadline.end();
  }
}

const belows = new WeakMap<AbortSignal, Below>();

/** A signal that is aborted after a time, or when its parent is. Its maker ends it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  #resolve = () => {};
  readonly over = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });
  /** Milliseconds for which this process was blocked when the time ended. */
  declare late?: number;
  readonly #parent: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number, parent?: AbortSignal, mostLateMs?: number) {
    this.#parent = parent;
    this.postpone(timeoutMs, mostLateMs);
    if (!parent) return;
    const below = belows.get(parent) ?? new Below();
    belows.set(parent, below.add(this));
    parent.addEventListener('abort', below);
    if (parent.aborted) this.end();
  }

  postpone(timeoutMs: number, mostLateMs = MAX_LATE_MS): void {
    clearTimeout(this.#timer);
    // A fetch that heeds no signal brings more after the end.
    if (this.signal.aborted) return;
    const dueAt = now() + timeoutMs;
    ends.set(this.signal, dueAt);
    this.#timer = setTimeout(() => {
      const lateMs = Math.min(now() - dueAt, mostLateMs);
      if (lateMs < LATE_MS) return this.end();
      this.late = lateMs;
      this.postpone(lateMs, 0);
    }, timeoutMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
    this.#resolve();
    const below = this.#parent && belows.get(this.#parent);
    if (below?.delete(this) && below.size === 0) this.#parent?.removeEventListener('abort', below);
  }
}

export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Deadline(delayMs, signal, 0).over;
}

/** Rejects where loading takes too long: a page loads over a network. */
export function loaded<T>(loading: Promise<T>): Promise<T> {
  const time = new Deadline(LOADED_MS);
  const late = time.over.then(() => Promise.reject('no answer in time'));
  return Promise.race([loading, late]).finally(() => time.end());
}

/** As `throwIfAborted()`, which an older jsdom lacks. */
export function rejectAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
