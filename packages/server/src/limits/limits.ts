import { NamedError } from '../base/named-error.js';
import { Quota, type QuotaBounds, type Refusal } from './quota.js';
import { type Limiter, limiterOf, OwnWindows, type Rate, type WindowCounter } from './rate-limiter.js';
import { NameBuckets, type NameLimiter } from './tried-names.js';

/** A quota of things that count one each, in this process or over all nodes. */
export interface ClientQuota {
  /** Takes one for a client, until `release`. Returns null, or why not. */
  acquire(client: string): Promise<Refusal | null>;
  release(client: string): void;
}

/**
 * Makes what counts clients: for this process, or for all nodes that share a store, where `counted` is the name of the
 * count.
 */
export interface Limits {
  rate(counted: string, rate: Rate | null): Limiter;
  names(counted: string, rate: Rate): NameLimiter;
  quota(counted: string, bounds: QuotaBounds): ClientQuota;
  windows(counted: string): WindowCounter;
}

export const OWN_LIMITS: Limits = {
  rate: (_counted, rate) => limiterOf(rate),
  names: (_counted, rate) => new NameBuckets(rate),
  quota: (_counted, bounds) => {
    const quota = new Quota(bounds);
    return { acquire: async (client) => quota.acquire(client), release: (client) => quota.release(client) };
  },
  windows: () => new OwnWindows(),
};

export interface CountedWindow extends Rate {
  /** Uses remembered together, which leave the window with the last of them. */
  readonly batchSize: number;
}

/** The store answers, but has no memory left to count anything new. */
export class NoRoomError extends NamedError {
  override name = 'NoRoomError';
}

/**
 * What all nodes that share a store count together. A count has a name, and so have the holders of places. Time is the
 * store's own, and it forgets what is over. Each method rejects while the store is away, and those that count something
 * new also with a `NoRoomError`.
 */
export interface SharedCounts {
  /** Counts one use. Resolves to 0 when it is allowed, otherwise to the milliseconds until the next one will be. */
  use(count: string, window: CountedWindow): Promise<number>;
  /** What `use` would resolve to. Counts nothing. */
  wait(count: string, window: CountedWindow): Promise<number>;
  useName(count: string, name: string, window: CountedWindow): Promise<number>;
  /** Takes back the use of a name, as if it had never been. */
  giveBackName(count: string, name: string): Promise<void>;
  /** Leases a place, unless `most` are taken. Resolves to whether the holder has it. */
  hold(count: string, holder: string, most: number, leaseMs: number): Promise<boolean>;
  /** Extends leases from now on, also those that were forgotten meanwhile. */
  renew(count: string, holders: readonly string[], leaseMs: number): Promise<void>;
  free(count: string, holder: string): Promise<void>;
}
