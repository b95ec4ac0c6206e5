import type { Clock } from '../../clock.js';
import type { Log } from '../../log.js';
import type { SharedCounts } from '../../shared-counts.js';
import { type Limits, OWN_LIMITS } from '../limits.js';
import { Questions } from './questions.js';
import { SharedLimiter } from './shared-limiter.js';
import { SharedNames } from './shared-names.js';
import { SharedPlaces } from './shared-places.js';

/** Counts of all nodes that share a store. What nobody limits is not asked for. */
export function sharedLimits(counts: SharedCounts, clock: Clock, log: Log): Limits {
  const questions = new Questions(clock, (err) => {
    log.warn(
      { err },
      'The store does not answer: until it does, each node counts by itself for the limits, and no key is taken.',
    );
  });
  const shared = { counts, questions };
  return {
    rate(counted, rate) {
      if (rate === null) return OWN_LIMITS.rate(counted, rate);
      // Without a count of wrong keys, whoever can reach several nodes, or make the store slow, could try any number of them.
      const whenAway = counted === 'wrong-key' ? 'refuse' : 'count-alone';
      return new SharedLimiter({ ...shared, name: counted, rate, whenAway });
    },
    names(counted, rate) {
      return rate === null ? OWN_LIMITS.names(counted, rate) : new SharedNames({ ...shared, name: counted, rate });
    },
    places(counted, bounds) {
      return new SharedPlaces({ ...shared, clock, name: counted, bounds });
    },
  };
}
