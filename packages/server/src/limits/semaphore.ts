import type { Clock } from '../base/clock.js';
import type { HeldBytes } from './client-memory.js';
import { Quota, type QuotaBounds } from './quota.js';

/** Runs a bounded number of concurrent jobs; the others wait in order. */
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

/** Maximum number of callers that wait for a permit. Each caller keeps its request in memory, but no message. */
export const MAX_WAITING = { total: 4_000, perClient: 400 } as const satisfies QuotaBounds;

/** Maximum wait for a permit. A client that has waited this long may have given up. */
export const MAX_WAIT_MS = 10_000;

export interface Applicant {
  readonly client: string;
  readonly signal: AbortSignal;
}

export interface FairSemaphoreOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly bounds: QuotaBounds;
  /** Bytes held for clients. A client that holds its maximum gets no permit. */
  readonly held?: HeldBytes;
  /** The error for a caller if too many others wait, or if the caller has waited too long. */
  busy(): Error;
  closed(): Error;
}

export type Release = () => void;

/** Ends a wait. Without an argument, the job has a permit; otherwise `reason` is why it gets none. */
type Waiting = (refused?: { readonly reason: unknown }) => void;

/** Waiting clients get permits in turn, one each (D40). Waits are bounded in number and time. */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  /** Waiting jobs by client. The next permit goes to the first job of the first client that may have a permit. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #places = new Quota(MAX_WAITING);
  readonly #running: Quota;
  #isClosed = false;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
    this.#running = new Quota(options.bounds);
    options.held?.watch({ freed: this.#giveNext });
  }

  /** Rejects with `busy` or `closed` or, as soon as the client leaves, with the signal's reason. */
  async acquire({ client, signal }: Applicant): Promise<Release> {
    const { clock, busy, closed } = this.#options;
    signal.throwIfAborted();
    if (this.#isClosed) throw closed();
    const release = this.tryAcquire(client);
    if (release !== null) return release;
    if (this.#places.acquire(client) !== null) throw busy();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = (refused) => {
        endWatch();
        signal.removeEventListener('abort', left);
        this.#remove(client, waiting);
        if (refused === undefined) resolve(this.#give(client));
        else reject(refused.reason);
      };
      const left = () => waiting(signal);
      signal.addEventListener('abort', left, { once: true });
      const endWatch = clock.after(MAX_WAIT_MS, () => waiting({ reason: busy() }));
      this.#waiting.set(client, [...(this.#waiting.get(client) ?? []), waiting]);
    });
  }

  tryAcquire(client: string): Release | null {
    return this.#mayHave(client) ? this.#give(client) : null;
  }

  /** Refuses all waiting jobs. Running jobs continue. */
  close(): void {
    this.#isClosed = true;
    for (const waiting of [...this.#waiting.values()].flat()) waiting({ reason: this.#options.closed() });
  }

  /** Removes a job, and moves the client's other jobs after those of all other clients. */
  #remove(client: string, waiting: Waiting): void {
    const others = (this.#waiting.get(client) ?? []).filter((one) => one !== waiting);
    this.#waiting.delete(client);
    if (others.length > 0) this.#waiting.set(client, others);
    this.#places.release(client);
  }

  readonly #giveNext = (): void => {
    while (!this.#running.isFull) {
      const client = [...this.#waiting.keys()].find((one) => this.#mayHave(one));
      if (client === undefined) return;
      this.#waiting.get(client)?.[0]?.();
    }
  };

  #mayHave(client: string): boolean {
    return this.#running.refusal(client) === null && !this.#options.held?.isFullFor(client);
  }

  #give(client: string): Release {
    this.#running.add(client, 1);
    return () => {
      this.#running.release(client);
      this.#giveNext();
    };
  }
}

export function releaseWhenOver(release: Release, { signal }: Pick<Applicant, 'signal'>): void {
  if (signal.aborted) release();
  else signal.addEventListener('abort', release, { once: true });
}
