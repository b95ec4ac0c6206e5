const TOLD_EVERY_MS = 60_000;

/** Logs a full disk: once a minute while mail is refused, and once when mail is accepted again. */
export class FullDiskLines {
  readonly #store: string;
  readonly #warn: (sentence: string) => void;
  #toldAt = Number.NEGATIVE_INFINITY;
  #isTold = false;

  /** `store` says where the store is, in the middle of a sentence. */
  constructor(store: string, warn: (sentence: string) => void) {
    this.#store = store;
    this.#warn = warn;
  }

  refused(now: number, advice: string): void {
    if (isWithin(TOLD_EVERY_MS, this.#toldAt, now)) return;
    this.#toldAt = now;
    this.#isTold = true;
    this.#warn(`The disk of the store ${this.#store} is full: mail is refused (452) until space is freed. ${advice}`);
  }

  hasRoom(): void {
    if (this.#isTold) this.#warn(`The disk of the store ${this.#store} has space again: mail is accepted.`);
    this.#isTold = false;
  }
}

/** A clock that was set back has no past to wait for. */
export function isWithin(ms: number, then: number, now: number): boolean {
  return now >= then && now < then + ms;
}
