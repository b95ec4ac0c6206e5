/**
 * How many clients are remembered that have nothing in a queue: those that have used more than the others so far. Above that
 * the ones that came first are forgotten, for made-up addresses must not fill the memory.
 */
const MAX_REMEMBERED = 10_000;

/** What reading a mail costs beside its bytes, put as bytes. */
const MAIL_BYTES = 2_048;

/** What is expected of reading before anything was read, in milliseconds for each byte. */
const FIRST_MS_PER_BYTE = 0.1 / 1024;

/** How fast an expectation follows what is measured. That of all clients is slow: one client must not make all look costly. */
const OWN_WEIGHT = 1 / 2;
const COMMON_WEIGHT = 1 / 64;

/**
 * How far a client may be behind the others for what it has used before. A mail that hangs for a minute must not cost its
 * client the next minute of a busy service.
 */
const MAX_BEHIND_MS = 1_000;

/** What one client has used, and what of it waits. Only `FairQueue` changes it. */
export interface Account<T = unknown> {
  readonly client: string;
  /** How much time it has used, in milliseconds. Zero is somewhere in the past: only differences between clients count. */
  usedMs: number;
  /** How much time is expected of those of its jobs that are being done. */
  expectedMs: number;
  /** How many milliseconds a byte takes. */
  msPerByte: number;
  /** How many of its jobs wait or are being done. */
  open: number;
  readonly items: T[];
}

/** Something that waits, and for whom. */
export interface Entry<T> {
  readonly account: Account<T>;
  readonly item: T;
}

/**
 * A fair queue: the next job is always that of the client that has used the least time so far, and within a client the first that came.
 * So a thousand mails of one client are one client's (D22). Each job is charged with what it is expected to take when it begins, and
 * with what it took once that is known.
 *
 * A job is opened, added, taken, begun, ended and closed. The queue has no bound of its own: those who fill it have one.
 */
export class FairQueue<T> {
  readonly #byClient = new Map<string, Account<T>>();
  /** The clients that wait, next last; of those that have used as much, the one that has waited longest. */
  readonly #waiting: Account<T>[] = [];
  readonly #maxRemembered: number;
  #msPerByte = FIRST_MS_PER_BYTE;
  /** The most time that a client had used when its turn came. */
  #servedMs = 0;
  /** How many clients have something open. */
  #open = 0;

  constructor(maxRemembered = MAX_REMEMBERED) {
    this.#maxRemembered = maxRemembered;
  }

  /** How many clients are known. */
  get size(): number {
    return this.#byClient.size;
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Whether nothing waits or is being done. */
  get isIdle(): boolean {
    return this.#open === 0;
  }

  /**
   * Notes one more job of a client, until `close`. A client that had none is put where those are who are being served: so it neither
   * saves up time by waiting for nothing, nor pays for what it used while no other client waited.
   */
  open(client: string): Account<T> {
    const account = this.#byClient.get(client) ?? this.#newAccount(client);
    if (account.open === 0) {
      account.usedMs = Math.min(Math.max(account.usedMs, this.#servedMs), this.#servedMs + MAX_BEHIND_MS);
      this.#open += 1;
    }
    account.open += 1;
    return account;
  }

  /** Ends what `open` began. */
  close(account: Account<T>): void {
    account.open -= 1;
    if (account.open > 0) return;
    this.#open -= 1;
    if (this.isIdle) this.#byClient.clear();
  }

  /** Puts a job at the end of its client's. */
  add({ account, item }: Entry<T>): void {
    if (account.items.push(item) === 1) this.#insert(account);
  }

  /** Puts a job that was taken back at the beginning of its client's. */
  putBack({ account, item }: Entry<T>): void {
    if (account.items.unshift(item) === 1) this.#insert(account);
  }

  /** The next job of the clients that may have a turn, without taking it. Few may be without: each is looked at again every time. */
  first(mayTake: (account: Account<T>) => boolean = anybody): Entry<T> | undefined {
    const account = this.#waiting.findLast(mayTake);
    return account && { account, item: account.items[0] as T };
  }

  /** Takes the next job; undefined when none waits of a client that may have a turn. */
  take(mayTake: (account: Account<T>) => boolean = anybody): Entry<T> | undefined {
    const next = this.first(mayTake);
    if (next === undefined) return undefined;
    next.account.items.shift();
    if (next.account.items.length === 0) this.#delete(next.account);
    return next;
  }

  /** Takes out a job that is not wanted any more; tells whether it was there. */
  remove({ account, item }: Entry<T>): boolean {
    const at = account.items.indexOf(item);
    if (at < 0) return false;
    account.items.splice(at, 1);
    if (account.items.length === 0) this.#delete(account);
    return true;
  }

  /** What a job of so many bytes is expected to take, in milliseconds. */
  expectedMs(account: Account<T>, bytes: number): number {
    return (bytes + MAIL_BYTES) * account.msPerByte;
  }

  /** A job begins. `end` or `takeBack` ends that. */
  begin(account: Account<T>, expectedMs: number): void {
    // Never back: a client that came then would be put before all who have waited since.
    this.#servedMs = Math.max(this.#servedMs, account.usedMs);
    account.expectedMs += expectedMs;
    this.#reorder(account);
  }

  /** A job that was begun will be begun again. */
  takeBack(account: Account<T>, expectedMs: number): void {
    account.expectedMs -= expectedMs;
    this.#reorder(account);
  }

  /** A job of so many bytes that was begun took so long. */
  end(account: Account<T>, bytes: number, { expectedMs, usedMs }: { expectedMs: number; usedMs: number }): void {
    account.expectedMs -= expectedMs;
    account.usedMs += usedMs;
    const msPerByte = usedMs / (bytes + MAIL_BYTES);
    account.msPerByte += (msPerByte - account.msPerByte) * OWN_WEIGHT;
    this.#msPerByte += (msPerByte - this.#msPerByte) * COMMON_WEIGHT;
    this.#reorder(account);
  }

  /** Gives a client that waits its new place, as it is charged with more or less than before. */
  #reorder(account: Account<T>): void {
    if (account.items.length === 0) return;
    this.#delete(account);
    this.#insert(account);
  }

  #delete(account: Account<T>): void {
    this.#waiting.splice(this.#waiting.lastIndexOf(account), 1);
  }

  #insert(account: Account<T>): void {
    let [low, high] = [0, this.#waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chargedMs(this.#waiting[middle] as Account<T>) > chargedMs(account)) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, account);
  }

  #newAccount(client: string): Account<T> {
    const account = { client, usedMs: 0, expectedMs: 0, msPerByte: this.#msPerByte, open: 0, items: [] };
    this.#byClient.set(client, account);
    if (this.#byClient.size > this.#maxRemembered + this.#open) this.#forget();
    return account;
  }

  /** Forgets half of those that have nothing open, so that this is seldom done. */
  #forget(): void {
    let left = Math.ceil(this.#maxRemembered / 2);
    for (const { client, open } of this.#byClient.values()) {
      if (open > 0) continue;
      this.#byClient.delete(client);
      left -= 1;
      if (left === 0) return;
    }
  }
}

function anybody(): boolean {
  return true;
}

function chargedMs({ usedMs, expectedMs }: Account): number {
  return usedMs + expectedMs;
}
