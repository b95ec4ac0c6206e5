import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.js';
import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { type ClientQuota, type Limits, NoRoomError, type SharedCounts } from './limits.js';
import { Quota, type QuotaBounds, type Refusal } from './quota.js';
import { batchSizeOf, limiterOf, NotCountedError, OwnWindows, type Rate, type WindowCounter } from './rate-limiter.js';
import { NameBuckets, type NameLimiter } from './tried-names.js';

const ANSWER_MS = 2_000;

/** How long a silent store is left alone. Then one question tests it. */
const PAUSE_MS = 1_000;

/** Asks the store. Rejects with why there is no answer, at once if the store has just left a question unanswered. */
type Ask = <T>(question: (counts: SharedCounts) => Promise<T>) => Promise<T>;

/** Calls `onAway` with why the store stopped answering, once until it answers again. */
function asking(counts: SharedCounts, clock: Clock, onAway: (reason: unknown) => void): Ask {
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
      if (!(error instanceof NoRoomError) && trouble === null) onAway(error);
      trouble = error instanceof NoRoomError ? null : error;
      askAgainAt = clock.monotonic() + PAUSE_MS;
      throw error;
    } finally {
      if (isAway) isTrying = false;
    }
  };
}

/** Clients remembered as refused; some 10 MB at most. */
const MAX_REFUSED = 100_000;

/**
 * Counts the uses of all nodes. What this process knows for certain costs no question: a use that its own count refuses
 * would be refused by that of all, and a refused client stays so until the time it was told. While the store is away,
 * this process counts alone; wrong keys are refused instead.
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
      // Uncounted, a client of several nodes, or of a slowed store, could try any number of keys.
      if (counted === 'wrong-key') throw new NotCountedError('The use was not counted.', { cause });
      return own[what](name, rate, now);
    }
  };
  return {
    use: (name, rate, now) => answer('use', name, rate, now),
    wait: (name, rate, now) => answer('wait', name, rate, now),
  };
}

/** Counts names for all nodes, once however many use a name. While the store is away, this process counts alone. */
function sharedNames(ask: Ask, counted: string, rate: Rate): NameLimiter {
  const own = new NameBuckets(rate);
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
      await own.giveBack(client);
      // Otherwise it leaves with its window.
      await ask((counts) => counts.giveBackName(`${counted}:${client}`, name)).catch(() => {});
    },
  };
}

/** How long an unrenewed place stays taken, such as those of a dead node. */
export const LEASE_MS = 30_000;

/** A renewal that is missed once is still in time. */
const RENEW_MS = LEASE_MS / 3;

/**
 * Places that a client has on all nodes together, leased and renewed for as long as this process lives. While the store
 * is away this process counts alone, and all nodes count what it gave meanwhile once the store is back. `perClient`
 * holds over all nodes, `total` for this process alone.
 */
class SharedQuota implements ClientQuota {
  readonly #ask: Ask;
  readonly #clock: Clock;
  readonly #counted: string;
  readonly #perClient: number;
  readonly #own: Quota;
  /** By count. */
  readonly #holders = new Map<string, string[]>();
  #stopRenewing: (() => void) | null = null;

  constructor(ask: Ask, clock: Clock, counted: string, bounds: QuotaBounds) {
    this.#ask = ask;
    this.#clock = clock;
    this.#counted = counted;
    this.#perClient = bounds.perClient;
    this.#own = new Quota(bounds);
  }

  async acquire(client: string): Promise<Refusal | null> {
    const refused = this.#own.acquire(client);
    if (refused !== null) return refused;
    const count = `${this.#counted}:${client}`;
    const holder = randomBytes(12).toString('base64url');
    const isHeld = await this.#ask((counts) => counts.hold(count, holder, this.#perClient, LEASE_MS)).catch(() => true);
    if (!isHeld) {
      this.#own.release(client);
      return 'client-full';
    }
    const holders = this.#holders.get(count) ?? [];
    holders.push(holder);
    this.#holders.set(count, holders);
    this.#stopRenewing ??= this.#clock.after(RENEW_MS, this.#renew);
    return null;
  }

  release(client: string): void {
    this.#own.release(client);
    const count = `${this.#counted}:${client}`;
    const holders = this.#holders.get(count) ?? [];
    const holder = holders.pop();
    if (holder === undefined) return;
    if (holders.length === 0) this.#holders.delete(count);
    if (this.#holders.size === 0) {
      this.#stopRenewing?.();
      this.#stopRenewing = null;
    }
    // Otherwise it ends with its lease.
    this.#ask((counts) => counts.free(count, holder)).catch(() => {});
  }

  readonly #renew = async (): Promise<void> => {
    for (const count of [...this.#holders.keys()]) {
      const holders = this.#holders.get(count) ?? [];
      // They are renewed again soon.
      if (holders.length > 0) await this.#ask((counts) => counts.renew(count, holders, LEASE_MS)).catch(() => {});
    }
    this.#stopRenewing = this.#holders.size === 0 ? null : this.#clock.after(RENEW_MS, this.#renew);
  };
}

/** Counts of all nodes that share a store. Unlimited counts ask nothing. */
export function sharedLimits(counts: SharedCounts, clock: Clock, log: Log): Limits {
  const ask = asking(counts, clock, (error) => {
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'The store does not answer. Until it does, each node enforces the limits by itself, and no API key is accepted.',
    );
  });
  return {
    rate: (counted, rate) => limiterOf(rate, sharedWindows(ask, counted)),
    names: (counted, rate) => sharedNames(ask, counted, rate),
    quota: (counted, bounds) => new SharedQuota(ask, clock, counted, bounds),
    windows: (counted) => sharedWindows(ask, counted),
  };
}
