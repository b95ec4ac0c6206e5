import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.js';
import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { NamedError } from '../errors.js';
import { Quota, type QuotaBounds, type Refusal } from './quota.js';
import {
  batchSizeOf,
  type Limiter,
  limiterOf,
  type NameLimiter,
  NotCountedError,
  nameBuckets,
  OwnWindows,
  type Rate,
  type WindowCounter,
} from './rate-limiter.js';

export interface ClientQuota {
  /** Takes a place for a client. Returns an idempotent function that releases the place, or why it was refused. */
  take(client: string): (() => void) | Refusal | Promise<(() => void) | Refusal>;
}

/** Creates limits per client, which count in this process or over all nodes of a store. `counted` names the count. */
export interface Limits {
  rate(counted: string, rate: Rate | null): Limiter;
  names(counted: string, rate: Rate): NameLimiter;
  quota(counted: string, bounds: QuotaBounds): ClientQuota;
  windows(counted: string): WindowCounter;
}

export const OWN_LIMITS: Limits = {
  rate: (_counted, rate) => limiterOf(rate),
  names: (_counted, rate) => nameBuckets(rate),
  quota: (_counted, bounds) => new Quota(bounds),
  windows: () => new OwnWindows(),
};

export interface CountedWindow extends Rate {
  /** Number of uses that are remembered as one batch. All uses of a batch leave the window when its last use does. */
  readonly batchSize: number;
}

/** The store is reachable, but has no memory left for new counts. */
export class NoRoomError extends NamedError {
  override name = 'NoRoomError';
}

/** Counters of all nodes of a store. Methods reject while it is unreachable; adding also with `NoRoomError`. */
export interface SharedCounts {
  /** Counts one use. Resolves to 0 if the use is allowed, otherwise to the milliseconds until it would be. */
  use(count: string, window: CountedWindow): Promise<number>;
  wait(count: string, window: CountedWindow): Promise<number>;
  useName(count: string, name: string, window: CountedWindow): Promise<number>;
  /** Takes back the use of a name, as if it had never happened. */
  giveBackName(count: string, name: string): Promise<void>;
  /** Leases a place, unless `most` are taken. Resolves to whether the holder has a place. */
  hold(count: string, holder: string, most: number, leaseMs: number): Promise<boolean>;
  /** Extends leases to `leaseMs` from now, and restores those that the store has forgotten meanwhile. */
  renew(count: string, holders: readonly string[], leaseMs: number): Promise<void>;
  free(count: string, holder: string): Promise<void>;
}

const ANSWER_MS = 2_000;

/** Pause after the store did not answer. Then a single request tests whether it answers again. */
const PAUSE_MS = 1_000;

/** Queries the store. Rejects with the reason if the store does not answer, or has just failed to answer. */
type Ask = <T>(question: (counts: SharedCounts) => Promise<T>) => Promise<T>;

/** Calls `onAway` with the reason when the store stops answering, at most once until the store answers again. */
function asking(counts: SharedCounts, clock: Clock, onAway: (reason: string) => void): Ask {
  let trouble: unknown = null;
  let askAgainAt = 0;
  let isTrying = false;
  const late = () => new Error(`no reply for ${ANSWER_MS / 1_000} seconds`);
  return async (question) => {
    const isAway = trouble !== null;
    if (isAway && (isTrying || clock.monotonic() < askAgainAt)) throw trouble;
    isTrying = isAway;
    try {
      const answer = await inTime(clock, ANSWER_MS, () => question(counts), late);
      trouble = null;
      return answer;
    } catch (error) {
      if (!(error instanceof NoRoomError) && trouble === null)
        onAway(error instanceof Error ? error.message : String(error));
      trouble = error instanceof NoRoomError ? null : error;
      askAgainAt = clock.monotonic() + PAUSE_MS;
      throw error;
    } finally {
      if (isAway) isTrying = false;
    }
  };
}

/** Maximum number of refused clients remembered; about 10 MB. */
const MAX_REFUSED = 100_000;

/**
 * Does not query the store if this process's own count refuses the use, or if the store's last refusal still applies.
 * While the store is unreachable, this process counts alone, except for wrong keys, which are refused.
 */
function sharedWindows(ask: Ask, counted: string): WindowCounter {
  const own = new OwnWindows();
  const refusedUntil = new BoundedMap<string, number>(MAX_REFUSED);
  const answer = async (what: 'use' | 'wait', name: string, rate: Rate, now: number) => {
    const knownMs = Math.max(await own.wait(name, rate, now), (refusedUntil.get(name) ?? now) - now);
    if (knownMs > 0) return knownMs;
    try {
      const window = { ...rate, batchSize: batchSizeOf(rate.count) };
      const waitMs = await ask((counts) => counts[what](`${counted}:${name}`, window));
      if (waitMs > 0) refusedUntil.set(name, now + waitMs);
      else if (what === 'use') await own.use(name, rate, now);
      return waitMs;
    } catch (cause) {
      // Counting alone would let a client guess more keys, by using several nodes or while the store is slow.
      if (counted === 'wrong-key') throw new NotCountedError('The use was not counted.', { cause });
      return own[what](name, rate, now);
    }
  };
  return {
    use: (name, rate, now) => answer('use', name, rate, now),
    wait: (name, rate, now) => answer('wait', name, rate, now),
  };
}

/** A name tried at several nodes counts once. While the store is unreachable, this process counts alone. */
function sharedNames(ask: Ask, counted: string, rate: Rate): NameLimiter {
  const own = nameBuckets(rate);
  return {
    async take(client, name, now) {
      try {
        const window = { ...rate, batchSize: 1 };
        const waitMs = await ask((counts) => counts.useName(`${counted}:${client}`, name, window));
        if (waitMs === 0) await own.take(client, name, now);
        return waitMs;
      } catch {
        return own.take(client, name, now);
      }
    },
    async giveBack(client, name) {
      await own.giveBack(client, name);
      // If this fails, the name counts until it leaves the window.
      await ask((counts) => counts.giveBackName(`${counted}:${client}`, name)).catch(() => {});
    },
  };
}

/** How long a place stays taken without a renewal, for example after its node has died. */
export const LEASE_MS = 30_000;

const RENEW_MS = LEASE_MS / 3;

/**
 * Counts a client's places on all nodes, as leases that each process renews. While the store is unreachable, counts
 * only this process's places; the next renewal adds them to the store. `total` always applies to this process alone.
 */
function sharedQuota(ask: Ask, clock: Clock, counted: string, bounds: QuotaBounds): ClientQuota {
  const own = new Quota(bounds);
  const holders = new Map<string, Set<string>>();
  let stopRenewing: (() => void) | null = null;
  const renew = async () => {
    for (const [count, held] of [...holders]) {
      // If this fails, the next renewal is still in time.
      if (held.size > 0) await ask((counts) => counts.renew(count, [...held], LEASE_MS)).catch(() => {});
    }
    stopRenewing = holders.size === 0 ? null : clock.after(RENEW_MS, renew);
  };
  return {
    async take(client) {
      const release = own.take(client);
      if (typeof release === 'string') return release;
      const count = `${counted}:${client}`;
      const holder = randomBytes(12).toString('base64url');
      const isHeld = await ask((counts) => counts.hold(count, holder, bounds.perClient, LEASE_MS)).catch(() => true);
      if (!isHeld) {
        release();
        return 'client-full';
      }
      const held = holders.get(count) ?? new Set();
      holders.set(count, held.add(holder));
      stopRenewing ??= clock.after(RENEW_MS, renew);
      return () => {
        release();
        if (!held.delete(holder)) return;
        if (held.size === 0) holders.delete(count);
        if (holders.size === 0) {
          stopRenewing?.();
          stopRenewing = null;
        }
        // If this fails, the place becomes free when its lease ends.
        ask((counts) => counts.free(count, holder)).catch(() => {});
      };
    },
  };
}

export function sharedLimits(counts: SharedCounts, clock: Clock, log: Log): Limits {
  const ask = asking(counts, clock, (reason) => {
    const what = 'The store does not answer. Until it does, each node enforces the limits by itself';
    log.warn({ reason }, `${what}, and no API key is accepted.`);
  });
  return {
    rate: (counted, rate) => limiterOf(rate, sharedWindows(ask, counted)),
    names: (counted, rate) => sharedNames(ask, counted, rate),
    quota: (counted, bounds) => sharedQuota(ask, clock, counted, bounds),
    windows: (counted) => sharedWindows(ask, counted),
  };
}
