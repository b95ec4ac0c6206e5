import type { Clock } from '../base/clock.js';
import type { HeldBytes } from './client-memory.js';
import { type Account, FairQueue } from './fair-queue.js';
import { Quota, type QuotaBounds } from './quota.js';

/** Runs a bounded number of jobs at once; the others wait in order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resume) => this.#waiting.push(resume));
    try {
      return await job();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Callers that wait for a permit: each holds a request and no message. */
export const MAX_WAITING = 4_000;
export const MAX_WAITING_PER_CLIENT = 400;

/** A client without an answer may have given up by then. */
export const MAX_WAIT_MS = 10_000;

export interface Applicant {
  readonly client: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

export interface FairSemaphoreOptions {
  readonly clock: Clock;
  readonly bounds: QuotaBounds;
  /** What clients leave unread: a client that is full gets no permit. */
  readonly held?: HeldBytes;
  /** The error when too many wait, or it takes too long. */
  busy(): Error;
  /** The error when the service stops. */
  closed(): Error;
}

/** To be called once. */
export type Release = () => void;

interface Waiting {
  begin(): void;
  giveUp(reason: unknown): void;
}

/** Permits go in turns by the time that each client has held its own (D40). Waits are bounded in number and time. */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  readonly #queue = new FairQueue<Waiting>();
  readonly #waiting = new Quota({ total: MAX_WAITING, perClient: MAX_WAITING_PER_CLIENT });
  readonly #running: Quota;
  #isClosed = false;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#running = new Quota(options.bounds);
    options.held?.watch({ freed: this.#giveNext });
  }

  /** Rejects with `busy`, `closed`, or the signal's reason as soon as the client leaves. */
  async acquire(by: Applicant): Promise<Release> {
    const { client, signal } = by;
    const { clock, busy, closed } = this.#options;
    signal.throwIfAborted();
    if (this.#isClosed) throw closed();
    const release = this.tryAcquire(by);
    if (release !== null) return release;
    if (this.#waiting.acquire(client) !== null) throw busy();
    return new Promise((resolve, reject) => {
      const account = this.#queue.open(client);
      const waiting: Waiting = {
        begin: () => {
          over();
          resolve(this.#give(account));
        },
        giveUp: (reason) => {
          this.#queue.remove({ account, item: waiting });
          this.#queue.close(account);
          over();
          reject(reason);
        },
      };
      const left = () => waiting.giveUp(signal.reason);
      signal.addEventListener('abort', left, { once: true });
      const endWatch = clock.after(MAX_WAIT_MS, () => waiting.giveUp(busy()));
      const over = () => {
        endWatch();
        signal.removeEventListener('abort', left);
        this.#waiting.release(client);
      };
      this.#queue.add({ account, item: waiting });
    });
  }

  tryAcquire({ client }: Pick<Applicant, 'client'>): Release | null {
    return this.#mayHave({ client }) ? this.#give(this.#queue.open(client)) : null;
  }

  /** Refuses all that wait. Given permits stay. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      next.item.giveUp(this.#options.closed());
    }
  }

  readonly #giveNext = (): void => {
    while (!this.#running.isFull) {
      const next = this.#queue.take(this.#mayHave);
      if (next === undefined) return;
      next.item.begin();
    }
  };

  readonly #mayHave = ({ client }: Pick<Account, 'client'>): boolean => {
    return this.#running.refusal(client) === null && !this.#options.held?.isFullFor(client);
  };

  /** The expected time ignores sizes, which are not known yet. */
  #give(account: Account<Waiting>): Release {
    const { clock } = this.#options;
    this.#running.add(account.client, 1);
    const expectedMs = this.#queue.expectedMs(account, 0);
    this.#queue.begin(account, expectedMs);
    const begunAt = clock.monotonic();
    return () => {
      this.#queue.end(account, 0, { expectedMs, usedMs: clock.monotonic() - begunAt });
      this.#queue.close(account);
      this.#running.release(account.client);
      this.#giveNext();
    };
  }
}

export function releaseWhenOver(release: Release, { signal }: Pick<Applicant, 'signal'>): void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
}
