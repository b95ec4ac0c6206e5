import { clearTimeout, now, setTimeout } from './real-time.js';

/** How long the code that builds an error may take to load. */
export const LOADED_MS = 5_000;

/** A timer is this late if the process was blocked. The deadline then moves by the delay, so Node can read new data. */
const LATE_MS = 100;
const MAX_LATE_MS = 2_000;

/** The latest time, by `now()`, at which each deadline aborts its signal. */
const ends = new WeakMap<AbortSignal, number>();

/** Milliseconds until a deadline's signal is aborted; `Infinity` for any other signal. */
export function leftMs(signal: AbortSignal): number {
  return (ends.get(signal) ?? Number.POSITIVE_INFINITY) - now();
}

// All deadlines with the same parent share one listener, because Node warns of a leak at more than ten. This
// does not use `AbortSignal.any`, which rejects signals of another realm, such as Node's under jsdom.
class Below extends Set<Deadline> {
  handleEvent(): void {
    for (const deadline of this) deadline.end();
  }
}

const belows = new WeakMap<AbortSignal, Below>();

/** A signal that aborts after a time, or when its parent aborts. Its creator must call `end()`. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  #resolve = () => {};
  readonly over = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });
  /** How long this process was blocked at the deadline, in milliseconds. */
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
    // A deadline that has ended must not restart if a fetch ignores its signal and delivers more data.
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

/** Rejects if loading takes too long, because a page in a browser loads modules over the network. */
export function loaded<T>(loading: Promise<T>): Promise<T> {
  const time = new Deadline(LOADED_MS);
  const late = time.over.then(() => Promise.reject('no answer in time'));
  return Promise.race([loading, late]).finally(() => time.end());
}

/** Replaces `throwIfAborted()`, which older jsdom lacks. */
export function rejectAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
