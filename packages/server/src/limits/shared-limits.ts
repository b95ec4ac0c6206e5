import { randomBytes } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.js';
import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { type ClientQuota, type Counted, type Limits, NoRoomError, OWN_LIMITS, type SharedCounts } from './limits.js';
import { Quota, type QuotaBounds, type Refusal } from './quota.js';
import {
  batchSizeOf,
  type Limiter,
  type NameLimiter,
  NotCountedError,
  type Rate,
  RateLimiter,
} from './rate-limiter.js';
import { NameBuckets } from './tried-names.js';
import { OwnWindows, type WindowCounter } from './window-counter.js';

const ANSWER_MS = 2_000;

/** How long a silent store is left alone. Then one question tests it. */
const PAUSE_MS = 1_000;

/** Questions to a store with a bounded wait: for one answer, and for many in turn while the store is away. */
class Questions {
  readonly #counts: SharedCounts;
  readonly #clock: Clock;
  readonly #onAway: (reason: unknown) => void;
  #trouble: unknown = null;
  #askAgainAt = 0;
  #isTrying = false;

  /** `onAway` is called with why the store stopped answering, once until it answers again. */
  constructor(counts: SharedCounts, clock: Clock, onAway: (reason: unknown) => void) {
    this.#counts = counts;
    this.#clock = clock;
    this.#onAway = onAway;
  }

  /** Rejects with why there is no answer, at once if the store has just left a question unanswered. */
  async ask<T>(question: (counts: SharedCounts) => Promise<T>): Promise<T> {
    const isAway = this.#trouble !== null;
    if (isAway && (this.#isTrying || this.#clock.monotonic() < this.#askAgainAt)) throw this.#trouble;
    this.#isTrying = isAway;
    try {
      const late = () => new Error(`no reply for ${ANSWER_MS / 1_000} seconds`);
      const answer = await inTime(this.#clock, ANSWER_MS, () => question(this.#counts), late);
      this.#trouble = null;
      return answer;
    } catch (error) {
      if (error instanceof NoRoomError) {
        this.#trouble = null;
        throw error;
      }
      if (this.#trouble === null) this.#onAway(error);
      this.#trouble = error;
      this.#askAgainAt = this.#clock.monotonic() + PAUSE_MS;
      throw error;
    } finally {
      if (isAway) this.#isTrying = false;
    }
  }
}

/** The name of a client's count in the store. */
function countOf(counted: Counted, client: string): string {
  return `${counted}:${client}`;
}

/** Clients remembered as refused; some 10 MB at most. */
const MAX_REFUSED = 100_000;

/**
 * Counts the uses of all nodes. What this process knows for certain costs no question: a use that its own count refuses
 * would be refused by that of all, and a refused client stays so until the time it was told. While the store is away,
 * this process counts alone; wrong keys are refused instead.
 */
function sharedLimiter(questions: Questions, counted: Counted, rate: Rate): Limiter {
  const own = new RateLimiter(rate);
  const refusedUntil = new BoundedMap<string, number>(MAX_REFUSED);
  const window = { ...rate, batchSize: batchSizeOf(rate.count) };
  const knownWait = async (client: string, now: number) => {
    const ownMs = await own.wait(client, now);
    const untilTime = refusedUntil.get(client) ?? now;
    if (untilTime <= now) refusedUntil.delete(client);
    return Math.max(ownMs, untilTime - now);
  };
  const ask = async (what: 'use' | 'wait', client: string, now: number) => {
    try {
      const waitMs = await questions.ask((counts) => counts[what](countOf(counted, client), window));
      if (waitMs > 0) refusedUntil.set(client, now + waitMs);
      else if (what === 'use') await own.take(client, now);
      return waitMs;
    } catch (cause) {
      // Uncounted, a client of several nodes, or of a slowed store, could try any number of keys.
      if (counted === 'wrong-key') throw new NotCountedError('The use was not counted.', { cause });
      return what === 'use' ? own.take(client, now) : own.wait(client, now);
    }
  };
  return {
    take: async (client, now) => (await knownWait(client, now)) || ask('use', client, now),
    wait: async (client, now) => (await knownWait(client, now)) || ask('wait', client, now),
  };
}

/** Counts names for all nodes, once however many use a name. While the store is away, this process counts alone. */
function sharedNames(questions: Questions, counted: Counted, rate: Rate): NameLimiter {
  const own = new NameBuckets(rate);
  const window = { ...rate, batchSize: 1 };
  return {
    async take(client, now, name) {
      try {
        const waitMs = await questions.ask((counts) => counts.useName(countOf(counted, client), name, window));
        if (waitMs === 0) await own.take(client, now);
        return waitMs;
      } catch {
        return own.take(client, now);
      }
    },
    async giveBack(client, at, now, name) {
      await own.giveBack(client, at, now);
      // Otherwise it leaves with its window.
      await questions.ask((counts) => counts.giveBackName(countOf(counted, client), name)).catch(() => {});
    },
  };
}

/** Counts uses of names for all nodes. While the store is away, this process counts alone. */
function sharedWindows(questions: Questions, counted: Counted): WindowCounter {
  const own = new OwnWindows();
  const ask = (what: 'use' | 'wait') => (name: string, rate: Rate, now: number) =>
    questions
      .ask((counts) => counts[what](countOf(counted, name), { ...rate, batchSize: 1 }))
      .catch(() => own[what](name, rate, now));
  return { use: ask('use'), wait: ask('wait') };
}

/** How long an unrenewed place stays taken, such as those of a dead node. */
export const LEASE_MS = 30_000;

/** A renewal that is missed once is still in time. */
const RENEW_MS = LEASE_MS / 3;

const RENEW_AT_ONCE = 200;

/**
 * Places that a client has on all nodes together, leased and renewed for as long as this process lives. While the store
 * is away this process counts alone, and all nodes count what it gave meanwhile once the store is back. `perClient`
 * holds over all nodes, `total` for this process alone.
 */
class SharedQuota implements ClientQuota {
  readonly #questions: Questions;
  readonly #clock: Clock;
  readonly #counted: Counted;
  readonly #perClient: number;
  readonly #own: Quota;
  /** No two processes have a holder of the same name. */
  readonly #node = randomBytes(9).toString('base64url');
  readonly #holders = new Map<string, string[]>();
  #number = 0;
  #stopRenewing = () => {};

  constructor(questions: Questions, clock: Clock, counted: Counted, bounds: QuotaBounds) {
    this.#questions = questions;
    this.#clock = clock;
    this.#counted = counted;
    this.#perClient = bounds.perClient;
    this.#own = new Quota(bounds);
  }

  async acquire(client: string): Promise<Refusal | null> {
    return this.#own.acquire(client) ?? this.#lease(client);
  }

  async #lease(client: string): Promise<Refusal | null> {
    this.#number += 1;
    const holder = `${this.#node}.${this.#number}`;
    const isHeld = await this.#questions
      .ask((counts) => counts.hold(countOf(this.#counted, client), holder, this.#perClient, LEASE_MS))
      .catch(() => true);
    if (!isHeld) {
      this.#own.release(client);
      return 'client-full';
    }
    if (this.#holders.size === 0) this.#awaitRenewal();
    const holders = this.#holders.get(client);
    if (holders === undefined) this.#holders.set(client, [holder]);
    else holders.push(holder);
    return null;
  }

  release(client: string): void {
    this.#own.release(client);
    const holders = this.#holders.get(client);
    const holder = holders?.pop();
    if (holder === undefined) return;
    if (holders?.length === 0) this.#holders.delete(client);
    if (this.#holders.size === 0) this.#stopRenewing();
    // Otherwise it ends with its lease.
    this.#questions.ask((counts) => counts.free(countOf(this.#counted, client), holder)).catch(() => {});
  }

  #awaitRenewal(): void {
    this.#stopRenewing();
    this.#stopRenewing = this.#clock.after(RENEW_MS, this.#renew);
  }

  readonly #renew = async (): Promise<void> => {
    const clients = [...this.#holders.keys()];
    for (let at = 0; at < clients.length; at += RENEW_AT_ONCE) {
      await Promise.all(clients.slice(at, at + RENEW_AT_ONCE).map((client) => this.#renewThoseOf(client)));
    }
    if (this.#holders.size > 0) this.#awaitRenewal();
  };

  async #renewThoseOf(client: string): Promise<void> {
    const holders = this.#holders.get(client);
    if (holders === undefined) return;
    // They are renewed again soon.
    await this.#questions
      .ask((counts) => counts.renew(countOf(this.#counted, client), holders, LEASE_MS))
      .catch(() => {});
  }
}

/** Counts of all nodes that share a store. Unlimited counts ask nothing. */
export function sharedLimits(counts: SharedCounts, clock: Clock, log: Log): Limits {
  const questions = new Questions(counts, clock, (error) => {
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'The store does not answer. Until it does, each node enforces the limits by itself, and no API key is accepted.',
    );
  });
  return {
    rate: (counted, rate) => (rate === null ? OWN_LIMITS.rate(counted, rate) : sharedLimiter(questions, counted, rate)),
    names: (counted, rate) => (rate === null ? OWN_LIMITS.names(counted, rate) : sharedNames(questions, counted, rate)),
    quota: (counted, bounds) => new SharedQuota(questions, clock, counted, bounds),
    windows: (counted) => sharedWindows(questions, counted),
  };
}
