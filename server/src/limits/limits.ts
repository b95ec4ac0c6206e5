import type { MaybePromise } from '../base/maybe-promise.js';
import { Quota, type QuotaBounds, type Refusal } from '../fairness/quota.js';
import { NameBuckets } from './name-buckets.js';
import { type Limiter, type NameLimiter, type Rate, RateLimiter } from './rate-limiter.js';
import { OwnWindows, type WindowCounter } from './window-counter.js';

/** What is counted, and the name of the count where nodes share it. */
export type Counted =
  | 'fetch'
  | 'look'
  | 'stream'
  | 'waitlist'
  | 'drop-in'
  | 'workspace'
  | 'wrong-key'
  | 'mail'
  | 'name'
  | 'open-stream'
  | 'rehearsal';

/** A quota of things that count one each: `Quota` in this process, `SharedQuota` over all nodes. */
export interface ClientQuota {
  /** Takes one for a client, until `release`. Returns null, or why not. */
  acquire(client: string): MaybePromise<Refusal | null>;
  release(client: string): void;
}

/** Makes what counts clients: for this process, or for all nodes that share a store. */
export interface Limits {
  rate(counted: Counted, rate: Rate | null): Limiter;
  names(counted: Counted, rate: Rate | null): NameLimiter;
  quota(counted: Counted, bounds: QuotaBounds): ClientQuota;
  windows(counted: Counted): WindowCounter;
}

export const OWN_LIMITS: Limits = {
  rate: (_counted, rate) => new RateLimiter(rate),
  names: (_counted, rate) => new NameBuckets(rate),
  quota: (_counted, bounds) => new Quota(bounds),
  windows: () => new OwnWindows(),
};
