import type { Soon } from '../soon.js';
import type { Limiter, NameLimiter, Rate } from './limiter.js';
import { RateLimiter } from './rate-limiter.js';
import { type NoSlot, type SlotBounds, Slots } from './slots.js';

/** What is counted, which is also what a count is called where nodes share it. */
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
  | 'open-stream';

/** Who holds how many of something that is bounded, where nobody needs to know which of them is whose. */
export interface Places {
  /** Takes a place for a client. Answers why there is none; null when it has one, which is given back with `free`. */
  hold(client: string): Soon<NoSlot | null>;
  /** Gives back a place that `hold` gave. */
  free(client: string): void;
}

/** Makes what counts clients: for this process, or for all nodes that share a store. */
export interface Limits {
  rate(counted: Counted, rate: Rate | null): Limiter;
  names(counted: Counted, rate: Rate | null): NameLimiter;
  places(counted: Counted, bounds: SlotBounds): Places;
}

/** Counts of this process alone. */
export const OWN_LIMITS: Limits = {
  rate: (_counted, rate) => new RateLimiter(rate),
  names: (_counted, rate) => new RateLimiter(rate),
  places: (_counted, bounds) => new Slots(bounds),
};
