/** Added to the size of each message, because parsing even an empty message takes as long as this many bytes. */
const MAIL_BYTES = 2_048;

/** Assumed cost of a client's first message, in milliseconds per byte. */
const FIRST_MS_PER_BYTE = 0.1 / 1024;

/** Caps `usedMs` at `#servedMs` plus this, so that a client whose message hung for a minute need not wait a minute. */
const MAX_BEHIND_MS = 1_000;

export interface Job {
  readonly client: string;
  readonly bytes: number;
  /** The time charged for the job while it runs; null before. */
  expectedMs: number | null;
}

/** The used time and waiting jobs of a client, while it has jobs. */
interface Account<J> {
  /** Relative to an arbitrary zero, because only differences between clients count. */
  usedMs: number;
  expectedMs: number;
  msPerByte: number;
  jobs: number;
  readonly waiting: J[];
}

/** The client that has used the least time is next (D22). The caller bounds the queue. */
export class FairQueue<J extends Job> {
  readonly #accounts = new Map<string, Account<J>>();
  /** The highest `usedMs` that any client had when one of its jobs began. */
  #servedMs = 0;
  #jobs = 0;

  get jobs(): number {
    return this.#jobs;
  }

  /** Adds a job. A client without other jobs starts with the used time of the clients being served. */
  add(job: J): void {
    let account = this.#accounts.get(job.client);
    if (account === undefined) {
      account = { usedMs: this.#servedMs, expectedMs: 0, msPerByte: FIRST_MS_PER_BYTE, jobs: 0, waiting: [] };
      this.#accounts.set(job.client, account);
    }
    account.jobs += 1;
    this.#jobs += 1;
    account.waiting.push(job);
  }

  first(): J | undefined {
    let next: Account<J> | undefined;
    for (const account of this.#accounts.values()) {
      if (account.waiting.length === 0) continue;
      if (next === undefined || chargedMs(account) < chargedMs(next)) next = account;
    }
    return next?.waiting[0];
  }

  expectedMs({ client, bytes }: J): number {
    return (bytes + MAIL_BYTES) * this.#accountOf(client).msPerByte;
  }

  begin(job: J): void {
    const account = this.#accountOf(job.client);
    account.waiting.shift();
    const expectedMs = this.expectedMs(job);
    job.expectedMs = expectedMs;
    // Monotonic; otherwise a new client would jump the queue.
    this.#servedMs = Math.max(this.#servedMs, account.usedMs);
    account.expectedMs += expectedMs;
  }

  /** Puts a job that has begun back into the queue, as its client's first. */
  putBack(job: J): void {
    const account = this.#accountOf(job.client);
    account.expectedMs -= job.expectedMs ?? 0;
    job.expectedMs = null;
    account.waiting.unshift(job);
  }

  /** Ends a job. A job that never began does not change the estimated cost of its client's mail. */
  end(job: J, usedMs: number): void {
    const account = this.#accountOf(job.client);
    if (job.expectedMs === null) account.waiting.splice(account.waiting.indexOf(job), 1);
    else {
      account.expectedMs -= job.expectedMs;
      account.usedMs = Math.min(account.usedMs + usedMs, this.#servedMs + MAX_BEHIND_MS);
      account.msPerByte = (account.msPerByte + usedMs / (job.bytes + MAIL_BYTES)) / 2;
    }
    account.jobs -= 1;
    this.#jobs -= 1;
    if (account.jobs === 0) this.#accounts.delete(job.client);
  }

  #accountOf(client: string): Account<J> {
    return this.#accounts.get(client) as Account<J>;
  }
}

function chargedMs({ usedMs, expectedMs }: Account<unknown>): number {
  return usedMs + expectedMs;
}
