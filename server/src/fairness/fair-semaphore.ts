import type { Clock } from '../base/clock.js';
import { type Account, FairQueue } from './fair-queue.js';
import type { HeldBytes } from './held-bytes.js';
import { Quota, type QuotaBounds } from './quota.js';

/** How many wait for a permit: each holds a request and no message. */
export const MAX_WAITING = 4_000;
export const MAX_WAITING_PER_CLIENT = 400;

/** For how long: a client that gets no answer may have given up by then. */
export const MAX_WAIT_MS = 10_000;

/** Who wants a permit. */
export interface Applicant {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** Is aborted when the client has left. */
  readonly signal: AbortSignal;
}

export interface FairSemaphoreOptions {
  readonly clock: Clock;
  /** How many permits there are at once. */
  readonly bounds: QuotaBounds;
  /** What clients leave unread, where that matters: there is no permit for a client that is full. */
  readonly held?: HeldBytes;
  /** What is said when too many wait, or it takes too long. */
  busy(): Error;
  /** What is said when the service stops. */
  closed(): Error;
}

/** Gives a permit back. To be called once. */
export type Release = () => void;

interface Waiting {
  begin(): void;
  giveUp(reason: unknown): void;
}

/**
 * A semaphore that is fair: so many permits at once, given in turns by the time for which each client has held its own (D40). Waiting is
 * bounded in number and in time, and each user says in its own words why there is no permit.
 */
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

  /** Resolves when a client has a permit. Rejects with `busy`, `closed`, or with the signal's reason as soon as the client has left. */
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

  /** A permit for a client that is there, where one is to be had at once; null otherwise. */
  tryAcquire({ client }: Pick<Applicant, 'client'>): Release | null {
    return this.#mayHave({ client }) ? this.#give(this.#queue.open(client)) : null;
  }

  /** Lets nobody wait any more. The permits that were given stay. */
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

  /** Gives a permit. For how long it is expected to be held does not depend on sizes, which are not known yet. */
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

/** Gives a permit back when its client has what it asked for, or has left. */
export function releaseWhenOver(release: Release, { signal }: Pick<Applicant, 'signal'>): void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
}
