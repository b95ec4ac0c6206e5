import { type Soon, withAnswer } from '../soon.js';
import type { NameLimiter, Rate } from './limiter.js';

/** How many names of all clients are remembered; some 30 MB at the most. */
const MAX_NAMES = 200_000;

/**
 * How many times the fetches of a window may come at once. Two hundred tests that start together each open a stream on an inbox
 * of their own, and by default a client has so many streams.
 */
const BURST = 10;

/** How fast names may be tried where inboxes may be fetched so fast: no faster in the long run, but many at once. */
export function triedNamesRate(fetchRate: Rate | null): Rate | null {
  return fetchRate && { count: fetchRate.count * BURST, windowMs: fetchRate.windowMs * BURST };
}

/** A name that a client has tried: when that was counted, or null since it has shown the client mail. */
interface Tried {
  readonly at: number;
  countedAt: number | null;
}

/**
 * Which inbox names a client tries without a fetch, by streams and by looks. An inbox's name is its secret (D15), so whoever
 * guesses names must not be faster by these than by a fetch; but tests open and ask for much, each of a name that they know.
 * What tells them apart is whether mail comes: each name counts once a window however often it is tried, and its use is given
 * back when it shows the client an email.
 */
export class TriedNames {
  readonly #limiter: NameLimiter;
  readonly #windowMs: number;
  readonly #maxNames: number;
  /** By client and name, in the order in which they were counted. */
  readonly #tried = new Map<string, Tried>();

  /** The limiter counts names at `triedNamesRate`, whose window is `windowMs`. */
  constructor(limiter: NameLimiter, windowMs: number, maxNames = MAX_NAMES) {
    this.#limiter = limiter;
    this.#windowMs = windowMs;
    this.#maxNames = maxNames;
  }

  /** Counts that a client tries a name, unless it has lately. Answers as `Limiter.take`. */
  take(client: string, name: string, now: number): Soon<number> {
    const key = keyOf(client, name);
    const known = this.#tried.get(key);
    if (known !== undefined && known.at > now - this.#windowMs) return 0;
    // Noted at once where the answer is there: the same name at the same moment would count again.
    return withAnswer(this.#limiter.take(client, now, name), (waitMs) => {
      if (waitMs === 0) this.#remember(key, { at: now, countedAt: now });
      return waitMs;
    });
  }

  /** The name has shown the client an email, so it was none that was guessed. */
  found(client: string, name: string, now: number): Soon<void> {
    const known = this.#tried.get(keyOf(client, name));
    if (known === undefined || known.countedAt === null) return;
    const { countedAt } = known;
    known.countedAt = null;
    return this.#limiter.giveBack(client, countedAt, now, name);
  }

  /** Where memory runs out, the name that was counted first is forgotten: it would only count again. */
  #remember(key: string, tried: Tried): void {
    this.#tried.delete(key);
    for (const oldest of this.#tried.keys()) {
      if (this.#tried.size < this.#maxNames) break;
      this.#tried.delete(oldest);
    }
    this.#tried.set(key, tried);
  }
}

/** No client and no name holds a space. */
function keyOf(client: string, name: string): string {
  return `${client} ${name}`;
}
