import type { Clock } from '../../base/clock.js';
import type { Log } from '../../base/log.js';
import { type Limits, OWN_LIMITS } from '../limits.js';
import type { SharedCounts } from '../shared-counts.js';
import { Questions } from './shared-count.js';
import { SharedLimiter, SharedNames } from './shared-limiter.js';
import { SharedQuota } from './shared-quota.js';

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
  };
}
