import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import type { SharedCounts } from '../limits.js';
import { type ClientQuota, type Limits, OWN_LIMITS } from '../limits.js';
import { Quota, type QuotaBounds, type Refusal } from '../quota.js';
import { countOf, Questions, type SharedCount, SharedLimiter, SharedNames, SharedWindows } from './shared-limiter.js';

/** How long an unrenewed place stays taken, such as those of a dead node. */
export const LEASE_MS = 30_000;

/** A renewal that is missed once is still in time. */
const RENEW_MS = LEASE_MS / 3;

const RENEW_AT_ONCE = 200;

export interface SharedBounds extends SharedCount {
  readonly clock: Clock;
  /** `perClient` holds over all nodes, `total` for this process alone. */
  readonly bounds: QuotaBounds;
}

/**
 * Places that a client has on all nodes together, leased and renewed for as long as this process lives. While the store
 * is away this process counts alone, and all nodes count what it gave meanwhile once the store is back.
 */
class SharedQuota implements ClientQuota {
  readonly #shared: SharedBounds;
  readonly #own: Quota;
  /** No two processes have a holder of the same name. */
  readonly #node = randomBytes(9).toString('base64url');
  readonly #holders = new Map<string, string[]>();
  #number = 0;
  #stopRenewing: (() => void) | null = null;

  constructor(shared: SharedBounds) {
    this.#shared = shared;
    this.#own = new Quota(shared.bounds);
  }

  acquire(client: string): MaybePromise<Refusal | null> {
    const refused = this.#own.acquire(client);
    if (refused !== null) return refused;
    const { counts, questions, bounds } = this.#shared;
    this.#number += 1;
    const holder = `${this.#node}.${this.#number}`;
    const question = () => counts.hold(countOf(this.#shared, client), holder, bounds.perClient, LEASE_MS);
    return questions.ask(question).then(
      (isHeld) => {
        if (isHeld) this.#remember(client, holder);
        else this.#own.release(client);
        return isHeld ? null : 'client-full';
      },
      () => {
        this.#remember(client, holder);
        return null;
      },
    );
  }

  release(client: string): void {
    this.#own.release(client);
    const holders = this.#holders.get(client);
    const holder = holders?.pop();
    if (holder === undefined) return;
    if (holders?.length === 0) this.#holders.delete(client);
    if (this.#holders.size === 0) this.#stop();
    const { counts, questions } = this.#shared;
    // Otherwise it ends with its lease.
    questions.ask(() => counts.free(countOf(this.#shared, client), holder)).catch(() => {});
  }

  #remember(client: string, holder: string): void {
    const holders = this.#holders.get(client);
    if (holders === undefined) this.#holders.set(client, [holder]);
    else holders.push(holder);
    this.#stopRenewing ??= this.#shared.clock.after(RENEW_MS, this.#renew);
  }

  readonly #renew = async (): Promise<void> => {
    const clients = [...this.#holders.keys()];
    for (let at = 0; at < clients.length; at += RENEW_AT_ONCE) {
      await Promise.all(clients.slice(at, at + RENEW_AT_ONCE).map((client) => this.#renewThoseOf(client)));
    }
    // Another may have begun meanwhile.
    this.#stop();
    if (this.#holders.size > 0) this.#stopRenewing = this.#shared.clock.after(RENEW_MS, this.#renew);
  };

  async #renewThoseOf(client: string): Promise<void> {
    const { counts, questions } = this.#shared;
    const holders = this.#holders.get(client);
    if (holders === undefined) return;
    // They are renewed again soon.
    await questions.ask(() => counts.renew(countOf(this.#shared, client), holders, LEASE_MS)).catch(() => {});
  }

  #stop(): void {
    this.#stopRenewing?.();
    this.#stopRenewing = null;
  }
}

/** Counts of all nodes that share a store. Unlimited counts ask nothing. */
export function sharedLimits(counts: SharedCounts, clock: Clock, log: Log): Limits {
  const questions = new Questions(clock, (error) => {
    log.warn(
      { reason: error instanceof Error ? error.message : String(error) },
      'The store does not answer. Until it does, each node enforces the limits by itself, and no API key is accepted.',
    );
  });
  const shared = { counts, questions };
  return {
    rate(counted, rate) {
      if (rate === null) return OWN_LIMITS.rate(counted, rate);
      // Uncounted, a client of several nodes, or of a slowed store, could try any number of keys.
      const whenAway = counted === 'wrong-key' ? 'refuse' : 'count-alone';
      return new SharedLimiter({ ...shared, name: counted, rate, whenAway });
    },
    names(counted, rate) {
      return rate === null ? OWN_LIMITS.names(counted, rate) : new SharedNames({ ...shared, name: counted, rate });
    },
    quota(counted, bounds) {
      return new SharedQuota({ ...shared, clock, name: counted, bounds });
    },
    windows(counted) {
      return new SharedWindows({ ...shared, name: counted });
    },
  };
}
