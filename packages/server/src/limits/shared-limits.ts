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

/** Clients remembered as refused; some 10 MB at most. */
const MAX_REFUSED = 100_000;

/**
 * Counts the uses of all nodes. What this process knows for certain costs no question: a use that its own count refuses
 * would be refused by that of all, and a refused client stays so until the time it was told. While the store is away,
 * this process counts alone; wrong keys are refused instead.
 */
class SharedLimiter implements Limiter {
  readonly #questions: Questions;
  readonly #counted: Counted;
  readonly #rate: Rate;
  readonly #own: RateLimiter;
  readonly #refusedUntil = new BoundedMap<string, number>(MAX_REFUSED);

  constructor(questions: Questions, counted: Counted, rate: Rate) {
    this.#questions = questions;
    this.#counted = counted;
    this.#rate = rate;
    this.#own = new RateLimiter(rate);
  }

  async take(client: string, now: number): Promise<number> {
    return (await this.#knownWait(client, now)) || this.#ask('use', client, now);
  }

  async wait(client: string, now: number): Promise<number> {
    return (await this.#knownWait(client, now)) || this.#ask('wait', client, now);
  }

  async #ask(what: 'use' | 'wait', client: string, now: number): Promise<number> {
    const window = { ...this.#rate, batchSize: batchSizeOf(this.#rate.count) };
    try {
      const waitMs = await this.#questions.ask((counts) => counts[what](`${this.#counted}:${client}`, window));
      if (waitMs > 0) this.#refusedUntil.set(client, now + waitMs);
      else if (what === 'use') await this.#own.take(client, now);
      return waitMs;
    } catch (cause) {
      // Uncounted, a client of several nodes, or of a slowed store, could try any number of keys.
      if (this.#counted === 'wrong-key') throw new NotCountedError('The use was not counted.', { cause });
      return what === 'use' ? this.#own.take(client, now) : this.#own.wait(client, now);
    }
  }

  async #knownWait(client: string, now: number): Promise<number> {
    const ownMs = await this.#own.wait(client, now);
    const untilTime = this.#refusedUntil.get(client) ?? now;
    if (untilTime <= now) this.#refusedUntil.delete(client);
    return Math.max(ownMs, untilTime - now);
  }
}

/** Counts names for all nodes, once however many use a name. While the store is away, this process counts alone. */
class SharedNames implements NameLimiter {
  readonly #questions: Questions;
  readonly #counted: Counted;
  readonly #rate: Rate;
  readonly #own: NameBuckets;

  constructor(questions: Questions, counted: Counted, rate: Rate) {
    this.#questions = questions;
    this.#counted = counted;
    this.#rate = rate;
    this.#own = new NameBuckets(rate);
  }

  async take(client: string, now: number, name: string): Promise<number> {
    const window = { ...this.#rate, batchSize: 1 };
    try {
      const waitMs = await this.#questions.ask((counts) => counts.useName(this.#countOf(client), name, window));
      if (waitMs === 0) await this.#own.take(client, now);
      return waitMs;
    } catch {
      return this.#own.take(client, now);
    }
  }

  async giveBack(client: string, at: number, now: number, name: string): Promise<void> {
    await this.#own.giveBack(client, at, now);
    // Otherwise it leaves with its window.
    await this.#questions.ask((counts) => counts.giveBackName(this.#countOf(client), name)).catch(() => {});
  }

  #countOf(client: string): string {
    return `${this.#counted}:${client}`;
  }
}

/** Counts uses of names for all nodes. While the store is away, this process counts alone. */
function sharedWindows(questions: Questions, counted: Counted): WindowCounter {
  const own = new OwnWindows();
  const ask = (what: 'use' | 'wait') => (name: string, rate: Rate, now: number) =>
    questions
      .ask((counts) => counts[what](`${counted}:${name}`, { ...rate, batchSize: 1 }))
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
      .ask((counts) => counts.hold(this.#countOf(client), holder, this.#perClient, LEASE_MS))
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
    this.#questions.ask((counts) => counts.free(this.#countOf(client), holder)).catch(() => {});
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
    await this.#questions.ask((counts) => counts.renew(this.#countOf(client), holders, LEASE_MS)).catch(() => {});
  }

  #countOf(client: string): string {
    return `${this.#counted}:${client}`;
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
    rate: (counted, rate) =>
      rate === null ? OWN_LIMITS.rate(counted, rate) : new SharedLimiter(questions, counted, rate),
    names: (counted, rate) =>
      rate === null ? OWN_LIMITS.names(counted, rate) : new SharedNames(questions, counted, rate),
    quota: (counted, bounds) => new SharedQuota(questions, clock, counted, bounds),
    windows: (counted) => sharedWindows(questions, counted),
  };
}
