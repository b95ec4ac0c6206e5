/** Idle clients remembered. Above that the earliest go: made-up addresses must not fill the memory. */
const MAX_REMEMBERED = 10_000;

/** What reading a mail costs beside its bytes, in bytes. */
const MAIL_BYTES = 2_048;

/** The first expectation, in milliseconds per byte. */
const FIRST_MS_PER_BYTE = 0.1 / 1024;

/** How fast expectations follow measurements. The common one is slow: one client must not make all look costly. */
const OWN_WEIGHT = 1 / 2;
const COMMON_WEIGHT = 1 / 64;

/** How far old use may set a client back: a mail that hangs for a minute must not cost it the next minute. */
const MAX_BEHIND_MS = 1_000;

/** What one client has used and has waiting. Only `FairQueue` changes it. */
export interface Account<T = unknown> {
  readonly client: string;
  /** Zero is somewhere in the past: only differences between clients count. */
  usedMs: number;
  /** Time expected of its running jobs. */
  expectedMs: number;
  msPerByte: number;
  open: number;
  readonly items: T[];
}

export interface Entry<T> {
  readonly account: Account<T>;
  readonly item: T;
}

/**
 * A fair queue: next is the client that has used the least time, and within a client the first job. So a thousand mails
 * of one client are one client's (D22). A job is charged its expected time when it begins, and its real time once that
 * is known. A job is opened, added, taken, begun, ended and closed. The queue has no bound of its own; those who fill
 * it have one.
 */
export class FairQueue<T> {
  readonly #byClient = new Map<string, Account<T>>();
  /** Clients that wait, the next one last; of equals, the one that has waited longest. */
  readonly #waiting: Account<T>[] = [];
  readonly #maxRemembered: number;
  #msPerByte = FIRST_MS_PER_BYTE;
  /** The most time that a client had used when its turn came. */
  #servedMs = 0;
  #open = 0;

  constructor(maxRemembered = MAX_REMEMBERED) {
    this.#maxRemembered = maxRemembered;
  }

  get size(): number {
    return this.#byClient.size;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isIdle(): boolean {
    return this.#open === 0;
  }

  /**
   * Opens a job of a client, until `close`. A client without jobs joins at the level of those being served: it neither
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

  close(account: Account<T>): void {
    account.open -= 1;
    if (account.open > 0) return;
    this.#open -= 1;
    if (this.isIdle) this.#byClient.clear();
  }

  add({ account, item }: Entry<T>): void {
    if (account.items.push(item) === 1) this.#insert(account);
  }

  putBack({ account, item }: Entry<T>): void {
    if (account.items.unshift(item) === 1) this.#insert(account);
  }

  /** The next job of clients that `mayTake` accepts, left in the queue. It is called for each: it should reject few. */
  first(mayTake: (account: Account<T>) => boolean = anybody): Entry<T> | undefined {
    const account = this.#waiting.findLast(mayTake);
    return account && { account, item: account.items[0] as T };
  }

  take(mayTake: (account: Account<T>) => boolean = anybody): Entry<T> | undefined {
    const next = this.first(mayTake);
    if (next === undefined) return undefined;
    next.account.items.shift();
    if (next.account.items.length === 0) this.#delete(next.account);
    return next;
  }

  remove({ account, item }: Entry<T>): boolean {
    const at = account.items.indexOf(item);
    if (at < 0) return false;
    account.items.splice(at, 1);
    if (account.items.length === 0) this.#delete(account);
    return true;
  }

  expectedMs(account: Account<T>, bytes: number): number {
    return (bytes + MAIL_BYTES) * account.msPerByte;
  }

  /** A job begins, until `end` or `takeBack`. */
  begin(account: Account<T>, expectedMs: number): void {
    // Monotonic; otherwise a new client would jump the queue.
    this.#servedMs = Math.max(this.#servedMs, account.usedMs);
    account.expectedMs += expectedMs;
    this.#reorder(account);
  }

  takeBack(account: Account<T>, expectedMs: number): void {
    account.expectedMs -= expectedMs;
    this.#reorder(account);
  }

  end(account: Account<T>, bytes: number, { expectedMs, usedMs }: { expectedMs: number; usedMs: number }): void {
    account.expectedMs -= expectedMs;
    account.usedMs += usedMs;
    const msPerByte = usedMs / (bytes + MAIL_BYTES);
    account.msPerByte += (msPerByte - account.msPerByte) * OWN_WEIGHT;
    this.#msPerByte += (msPerByte - this.#msPerByte) * COMMON_WEIGHT;
    this.#reorder(account);
  }

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
