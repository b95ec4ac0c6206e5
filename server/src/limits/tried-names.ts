import { isMadeName } from 'mayfly-client/made-name';
import { BoundedMap } from '../base/bounded-map.js';
import { type MaybePromise, withAnswer } from '../base/maybe-promise.js';
import type { NameLimiter } from './rate-limiter.js';

/** Names of all clients remembered; some 30 MB at most. */
const MAX_NAMES = 200_000;

interface Tried {
  readonly at: number;
  countedAt: number | null;
}

/**
 * Inbox names that a client tries by streams and looks. A name is its inbox's secret (D15), so guessing has a limit
 * (D48), but tests open many streams. Mail tells them apart: a name counts once per window, and is given back when it
 * shows the client an email. Names made by the client library cannot be guessed and do not count (`isMadeName`).
 */
export class TriedNames {
  readonly #limiter: NameLimiter;
  readonly #windowMs: number;
  /** By client and name. When memory runs out, the name counted first is forgotten: it would only count again. */
  readonly #tried: BoundedMap<string, Tried>;

  /** A counted name does not count again within `windowMs`. */
  constructor(limiter: NameLimiter, windowMs: number, maxNames = MAX_NAMES) {
    this.#limiter = limiter;
    this.#windowMs = windowMs;
    this.#tried = new BoundedMap(maxNames);
  }

  /** Counts a client's try of a name, unless it has lately. Returns as `Limiter.take`. */
  take(client: string, name: string, now: number): MaybePromise<number> {
    if (isMadeName(name)) return 0;
    const key = keyOf(client, name);
    const known = this.#tried.get(key);
    if (known !== undefined && known.at > now - this.#windowMs) return 0;
    // Noted at once if possible: the same name at the same moment would count again.
    return withAnswer(this.#limiter.take(client, now, name), (waitMs) => {
      if (waitMs === 0) this.#tried.set(key, { at: now, countedAt: now });
      return waitMs;
    });
  }

  /** The name has shown the client an email, so it was not guessed. */
  found(client: string, name: string, now: number): MaybePromise<void> {
    const known = this.#tried.get(keyOf(client, name));
    if (known === undefined || known.countedAt === null) return;
    const { countedAt } = known;
    known.countedAt = null;
    return this.#limiter.giveBack(client, countedAt, now, name);
  }
}

/** Neither contains a space. */
function keyOf(client: string, name: string): string {
  return `${client} ${name}`;
}
