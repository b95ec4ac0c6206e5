/** What reading a mail costs beside its bytes, in bytes. */
const MAIL_BYTES = 2_048;

/** The first expectation of a client's mail, in milliseconds per byte. */
const FIRST_MS_PER_BYTE = 0.1 / 1024;

/** How far old use may set a client back: a mail that hangs for a minute must not cost it the next minute. */
const MAX_BEHIND_MS = 1_000;

/** What one client has used and has waiting, while it has open jobs. Only `FairQueue` changes it. */
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
  /** Those with items. */
  readonly #waiting = new Set<Account<T>>();
  /** The most time that a client had used when its turn came. */
  #servedMs = 0;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Opens a job of a client, until `close`. A client without jobs joins at the level of those being served. */
  open(client: string): Account<T> {
    let account = this.#byClient.get(client);
    if (account === undefined) {
      account = { client, usedMs: this.#servedMs, expectedMs: 0, msPerByte: FIRST_MS_PER_BYTE, open: 0, items: [] };
      this.#byClient.set(client, account);
    }
    account.open += 1;
    return account;
  }

  close(account: Account<T>): void {
    account.open -= 1;
    if (account.open === 0) this.#byClient.delete(account.client);
  }

  add({ account, item }: Entry<T>): void {
    account.items.push(item);
    this.#waiting.add(account);
  }

  putBack({ account, item }: Entry<T>): void {
    account.items.unshift(item);
    this.#waiting.add(account);
  }

  /** The next job, left in the queue. Of equal clients, it is the one's that has waited longest. */
  first(): Entry<T> | undefined {
    let next: Account<T> | undefined;
    for (const account of this.#waiting) if (next === undefined || chargedMs(account) < chargedMs(next)) next = account;
    return next && { account: next, item: next.items[0] as T };
  }

  take(): Entry<T> | undefined {
    const next = this.first();
    if (next === undefined) return undefined;
    next.account.items.shift();
    if (next.account.items.length === 0) this.#waiting.delete(next.account);
    return next;
  }

  expectedMs(account: Account<T>, bytes: number): number {
    return (bytes + MAIL_BYTES) * account.msPerByte;
  }

  /** A job begins, until `end` or `takeBack`. */
  begin(account: Account<T>, expectedMs: number): void {
    // Monotonic; otherwise a new client would jump the queue.
    this.#servedMs = Math.max(this.#servedMs, account.usedMs);
    account.expectedMs += expectedMs;
  }

  takeBack(account: Account<T>, expectedMs: number): void {
    account.expectedMs -= expectedMs;
  }

  end(account: Account<T>, bytes: number, { expectedMs, usedMs }: { expectedMs: number; usedMs: number }): void {
    account.expectedMs -= expectedMs;
    account.usedMs = Math.min(account.usedMs + usedMs, this.#servedMs + MAX_BEHIND_MS);
    account.msPerByte = (account.msPerByte + usedMs / (bytes + MAIL_BYTES)) / 2;
  }
}

function chargedMs({ usedMs, expectedMs }: Account): number {
  return usedMs + expectedMs;
}
