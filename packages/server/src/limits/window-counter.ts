import { BoundedMap } from '../base/bounded-map.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { Rate } from './rate-limiter.js';

/**
 * Counts uses of names, each by a rate of its own. `now` is in milliseconds of a clock that never goes back. Counts of
 * this process answer with a number, those of several nodes with a promise that does not reject.
 */
export interface WindowCounter {
  use(name: string, rate: Rate, now: number): MaybePromise<number>;
  /** What `use` would return. Counts nothing. */
  wait(name: string, rate: Rate, now: number): MaybePromise<number>;
}

/** Uses remembered together, of all names: some 60 MB at most, if each has a sender with a long address in it. */
const MAX_USES = 100_000;

/** Uses counted in this process. When there are too many, the names used longest ago are forgotten. */
export class OwnWindows implements WindowCounter {
  readonly #uses = new BoundedMap<string, readonly number[]>(MAX_USES, (uses) => uses.length);

  use(name: string, rate: Rate, now: number): number {
    const uses = this.#within(name, rate, now);
    const waitMs = waitOf(uses, rate, now);
    if (waitMs === 0) this.#uses.set(name, [...uses, now]);
    return waitMs;
  }

  wait(name: string, rate: Rate, now: number): number {
    return waitOf(this.#within(name, rate, now), rate, now);
  }

  #within(name: string, { windowMs }: Rate, now: number): readonly number[] {
    return (this.#uses.get(name) ?? []).filter((at) => at > now - windowMs);
  }
}

function waitOf(uses: readonly number[], { count, windowMs }: Rate, now: number): number {
  const [first] = uses;
  return first === undefined || uses.length < count ? 0 : first + windowMs - now;
}
