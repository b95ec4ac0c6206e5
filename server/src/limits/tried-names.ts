import { isMadeName } from 'mayfly-client/made-name';
import { type MaybePromise, withAnswer } from '../base/maybe-promise.js';
import type { NameLimiter } from './limiter.js';

/** How many names of all clients are remembered; some 30 MB at the most. */
const MAX_NAMES = 200_000;

/** A name that a client has tried: when that was counted, or null since it has shown the client mail. */
interface Tried {
  readonly at: number;
  countedAt: number | null;
}

/**
 * Which inbox names a client tries without a fetch, by streams and by looks. An inbox's name is its secret (D15), so guessing names
 * has a limit (D48); but tests open and ask for much, each of a name that they know. What tells them apart is whether mail comes: each
 * name counts once a window however often it is tried, and its use is given back when it shows the client an email. Names that the
 * client made up are not counted at all: nobody guesses them (see `isMadeName`).
 */
export class TriedNames {
  readonly #limiter: NameLimiter;
  readonly #windowMs: number;
  readonly #maxNames: number;
  /** By client and name, in the order in which they were counted. */
  readonly #tried = new Map<string, Tried>();

  /** A name that the limiter has counted does not count again within `windowMs`. */
  constructor(limiter: NameLimiter, windowMs: number, maxNames = MAX_NAMES) {
    this.#limiter = limiter;
    this.#windowMs = windowMs;
    this.#maxNames = maxNames;
  }

  /** Counts that a client tries a name, unless it has lately. Answers as `Limiter.take`. */
  take(client: string, name: string, now: number): MaybePromise<number> {
    if (isMadeName(name)) return 0;
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
  found(client: string, name: string, now: number): MaybePromise<void> {
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
