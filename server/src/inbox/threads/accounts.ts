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

/** What one client has used. Only `Accounts` changes it. */
export interface Account {
  readonly client: string;
  /** How much time it has used, in milliseconds. Zero is somewhere in the past: only differences between clients count. */
  usedMs: number;
  /** How much time is expected of those of its mails that are being read. */
  expectedMs: number;
  /** How many milliseconds a byte takes. */
  msPerByte: number;
  /** How many of its mails wait or are being read. */
  open: number;
}

/**
 * Whose reading has taken how much time, so that a queue can take turns by it (D22). Each mail is charged with what it is
 * expected to take when its turn comes, and with what it took once that is known. Each queue has accounts of its own: by what is
 * served in one, nothing can be said of who is behind in another.
 */
export class Accounts {
  readonly #byClient = new Map<string, Account>();
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

  /** Whether no mail waits or is being read. */
  get isIdle(): boolean {
    return this.#open === 0;
  }

  /**
   * One more mail of a client begins to wait; `close` ends that. A client that had none is put where those are who are being served: so
   * nobody saves up time by waiting for nothing, nor pays for what was used while nobody else waited.
   */
  open(client: string): Account {
    const account = this.#byClient.get(client) ?? this.#newAccount(client);
    if (account.open === 0) {
      account.usedMs = Math.min(Math.max(account.usedMs, this.#servedMs), this.#servedMs + MAX_BEHIND_MS);
      this.#open += 1;
    }
    account.open += 1;
    return account;
  }

  /** What reading so many bytes of a client is expected to take, in milliseconds. */
  expectedMs(account: Account, bytes: number): number {
    return (bytes + MAIL_BYTES) * account.msPerByte;
  }

  /** A mail of a client begins to be read. `end` or `takeBack` ends that. */
  begin(account: Account, expectedMs: number): void {
    // Never back: whoever came then would be put before all who have waited since.
    this.#servedMs = Math.max(this.#servedMs, account.usedMs);
    account.expectedMs += expectedMs;
  }

  /** A mail that was begun will be begun again. The queue is to be told, with `FairQueue.discharged`. */
  takeBack(account: Account, expectedMs: number): void {
    account.expectedMs -= expectedMs;
  }

  /** A mail that was begun took so long. That may be less than was expected: the queue is to be told, as by `takeBack`. */
  end(account: Account, bytes: number, { expectedMs, usedMs }: { expectedMs: number; usedMs: number }): void {
    account.expectedMs -= expectedMs;
    account.usedMs += usedMs;
    const msPerByte = usedMs / (bytes + MAIL_BYTES);
    account.msPerByte += (msPerByte - account.msPerByte) * OWN_WEIGHT;
    this.#msPerByte += (msPerByte - this.#msPerByte) * COMMON_WEIGHT;
  }

  /** A mail of a client neither waits nor is read any more. */
  close(account: Account): void {
    account.open -= 1;
    if (account.open > 0) return;
    this.#open -= 1;
    if (this.isIdle) this.#byClient.clear();
  }

  #newAccount(client: string): Account {
    const account = { client, usedMs: 0, expectedMs: 0, msPerByte: this.#msPerByte, open: 0 };
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
