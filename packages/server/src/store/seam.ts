/** Shared by stores: the only file of the service that a store in another package may import. */
import { StoreClosedError } from './store.js';

export { type CountedWindow, NoRoomError, type SharedCounts } from '../limits/limits.js';
export { Semaphore } from '../limits/semaphore.js';
export { bytesOf, CHUNK_BYTES, chunksOf } from './admission.js';
export * from './store.js';

/** A store's running work, which `close` waits for. */
export class Jobs {
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | null = null;

  mustBeOpen(): void {
    if (this.#closed !== null) throw new StoreClosedError();
  }

  /** Runs work that `close` waits for. Rejects with the error that `mustBeOpen` throws. */
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

  /** Starts no more work, and calls `letGo` once all work has ended or `late` resolves. Only the first call counts. */
  close(letGo: () => Promise<void>, late: () => Promise<void> = () => new Promise(() => {})): Promise<void> {
    this.#closed ??= Promise.race([Promise.allSettled(this.#running), late()]).then(letGo);
    return this.#closed;
  }
}

const LOGGED_EVERY_MS = 60_000;

/** Logs a full disk: once a minute while mail is refused, and once when mail is accepted again. */
export class FullDiskLines {
  readonly #store: string;
  readonly #warn: (sentence: string) => void;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #isLogged = false;

  /** `store` is the store's location as a phrase, such as `in /data`. */
  constructor(store: string, warn: (sentence: string) => void) {
    this.#store = store;
    this.#warn = warn;
  }

  refused(now: number, advice: string): void {
    if (isWithin(LOGGED_EVERY_MS, this.#loggedAt, now)) return;
    this.#loggedAt = now;
    this.#isLogged = true;
    this.#warn(`The disk of the store ${this.#store} is full: mail is refused (452) until space is freed. ${advice}`);
  }

  hasRoom(): void {
    if (this.#isLogged) this.#warn(`The disk of the store ${this.#store} has space again: mail is accepted.`);
    this.#isLogged = false;
  }
}

/** Whether two times are close. `now` may precede `then` if a caller passes an earlier time or a clock is set back. */
export function isWithin(ms: number, then: number, now: number): boolean {
  return Math.abs(now - then) < ms;
}
