import { BoundedMap } from '../base/bounded-map.js';
import type { Rate } from './rate-limiter.js';

/**
 * Counts uses of names, each by a rate of its own. `now` is in milliseconds of a clock that never goes back. Never
 * rejects.
 */
export interface WindowCounter {
  use(name: string, rate: Rate, now: number): Promise<number>;
  /** What `use` would resolve to. Counts nothing. */
  wait(name: string, rate: Rate, now: number): Promise<number>;
}

/** Uses remembered together, of all names: some 60 MB at most, if each has a sender with a long address in it. */
const MAX_USES = 100_000;

/** Uses counted in this process. When there are too many, the names used longest ago are forgotten. */
export class OwnWindows implements WindowCounter {
  readonly #uses = new BoundedMap<string, readonly number[]>(MAX_USES, (uses) => uses.length);

  async use(name: string, rate: Rate, now: number): Promise<number> {
    const uses = this.#within(name, rate, now);
    const waitMs = waitOf(uses, rate, now);
    if (waitMs === 0) this.#uses.set(name, [...uses, now]);
    return waitMs;
  }

  async wait(name: string, rate: Rate, now: number): Promise<number> {
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
