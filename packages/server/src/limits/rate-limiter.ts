import { NamedError } from '../base/named-error.js';

/** At most `count` in any `windowMs`. */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/** A rate for people, such as "20 in 10 s". */
export function rateText({ count, windowMs }: Rate): string {
  const isMinutes = windowMs % 60_000 === 0;
  return `${count} in ${isMinutes ? `${windowMs / 60_000} min` : `${windowMs / 1_000} s`}`;
}

/** Something was not counted and must not proceed uncounted. A retry may succeed soon. */
export class NotCountedError extends NamedError {
  override name = 'NotCountedError';
}

/**
 * How often each client may do something. The one seam of all limits by rate. Rejects only with a `NotCountedError`, if
 * a limit would rather refuse than count in this process alone. `now` is in milliseconds of a clock that never goes
 * back.
 */
export interface Limiter {
  /** Counts one use. Resolves to 0 when it is allowed, otherwise the milliseconds until the next one will be. */
  take(client: string, now: number): Promise<number>;
  /** What `take` would resolve to. Counts nothing. */
  wait(client: string, now: number): Promise<number>;
}

/**
 * How many names each client may use: `count` at once, and again as many, evenly, in each `windowMs`. So a client
 * without names left may use the next one `windowMs / count` later, not only when the window is over. A name may count
 * once for all who count it, or each time.
 */
export interface NameLimiter {
  take(client: string, now: number, name: string): Promise<number>;
  /** Takes back a name counted at `at`, as if it had never been. After a window it is gone anyway. */
  giveBack(client: string, at: number, now: number, name: string): Promise<void>;
}

/** Clients remembered at once; some 100 MB at the worst, usually a few hundred bytes each. */
const MAX_CLIENTS = 100_000;

/** Batches of a client's uses in a window. A use leaves with the last of its batch: never early, and a little late. */
const MAX_BATCHES = 64;

/** Uses remembered together at this limit. */
export function batchSizeOf(count: number): number {
  return Math.ceil(count / MAX_BATCHES);
}

interface Batch {
  lastAt: number;
  uses: number;
}

interface Client {
  readonly batches: Batch[];
  uses: number;
}

/**
 * A sliding window for each client (interface section 8, D12 and D13). A refused use does not count, so a client that
 * keeps asking is served again as soon as its earliest use leaves the window.
 * Memory is bounded. When it runs out, clients with uses left are forgotten, the least recent first. A client at its
 * limit never is, or a flood of made-up addresses would lift its limit.
 */
export class RateLimiter implements Limiter {
  readonly #rate: Rate | null;
  readonly #maxClients: number;
  readonly #batchSize: number;
  /** Clients with uses left, least recent first. */
  readonly #free = new Map<string, Client>();
  /** Clients that had none left when last examined, in the order in which they used up theirs. */
  readonly #spent = new Map<string, Client>();

  /** Without a rate everything is allowed. */
  constructor(rate: Rate | null, maxClients = MAX_CLIENTS) {
    this.#rate = rate;
    this.#maxClients = maxClients;
    this.#batchSize = batchSizeOf(rate?.count ?? 1);
  }

  async take(client: string, now: number): Promise<number> {
    if (this.#rate === null) return 0;
    const known = this.#spent.get(client) ?? this.#free.get(client);
    if (known === undefined) {
      const waitMs = this.#makeRoom(this.#rate, now);
      if (waitMs > 0) return waitMs;
    }
    const entry = known ?? { batches: [], uses: 0 };
    forget(entry, now - this.#rate.windowMs);
    const waitMs = waitOf(entry, this.#rate, now);
    if (waitMs > 0) return waitMs;

    this.#count(entry, now);
    this.#spent.delete(client);
    this.#free.delete(client);
    (entry.uses < this.#rate.count ? this.#free : this.#spent).set(client, entry);
    return 0;
  }

  async wait(client: string, now: number): Promise<number> {
    if (this.#rate === null || this.#free.has(client)) return 0;
    const entry = this.#spent.get(client) ?? this.#firstInTheWay();
    if (entry === undefined) return 0;
    forget(entry, now - this.#rate.windowMs);
    return waitOf(entry, this.#rate, now);
  }

  #count(entry: Client, now: number): void {
    entry.uses += 1;
    const last = entry.batches.at(-1);
    if (last !== undefined && last.uses < this.#batchSize) {
      last.uses += 1;
      last.lastAt = now;
    } else {
      entry.batches.push({ lastAt: now, uses: 1 });
    }
  }

  /** The client at its limit that must be over before a new one can be remembered; undefined where there is room. */
  #firstInTheWay(): Client | undefined {
    const isFull = this.#free.size === 0 && this.#spent.size >= this.#maxClients;
    return isFull ? this.#spent.values().next().value : undefined;
  }

  #makeRoom(rate: Rate, now: number): number {
    if (this.#free.size + this.#spent.size < this.#maxClients) return 0;
    for (const client of this.#free.keys()) {
      this.#free.delete(client);
      return 0;
    }
    for (const [client, entry] of this.#spent) {
      forget(entry, now - rate.windowMs);
      const waitMs = waitOf(entry, rate, now);
      if (waitMs > 0) return waitMs;
      this.#spent.delete(client);
      return 0;
    }
    return 0;
  }
}

function forget(entry: Client, horizon: number): void {
  for (let first = entry.batches[0]; first !== undefined && first.lastAt <= horizon; first = entry.batches[0]) {
    entry.uses -= first.uses;
    entry.batches.shift();
  }
}

function waitOf(entry: Client, rate: Rate, now: number): number {
  const first = entry.batches[0];
  return first === undefined || entry.uses < rate.count ? 0 : first.lastAt + rate.windowMs - now;
}
