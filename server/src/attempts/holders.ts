import type { Attempt } from './attempt.js';

/** What one client holds of the book. */
interface Holder {
  readonly client: string;
  oldest: Attempt | null;
  newest: Attempt | null;
  bytes: number;
  level: number;
}

/** As many as a number of 32 bits has. */
const LEVELS = 32;

/**
 * Who holds how much of the book. Clients are sorted by the power of two that they are at, so that neither many clients
 * nor many attempts make it dear to tell who holds most, to a factor of two.
 */
export class Holders {
  readonly #byClient = new Map<string, Holder>();
  readonly #levels = Array.from({ length: LEVELS }, () => new Set<Holder>());

  /** The newest attempt of a client. */
  newestOf(client: string): Attempt | null {
    return this.#byClient.get(client)?.newest ?? null;
  }

  add(attempt: Attempt, bytes: number): void {
    const { client } = attempt;
    let holder = this.#byClient.get(client);
    if (holder === undefined) {
      holder = { client, oldest: null, newest: null, bytes: 0, level: 0 };
      this.#byClient.set(client, holder);
    }
    attempt.olderOfClient = holder.newest;
    if (holder.newest === null) holder.oldest = attempt;
    else holder.newest.newerOfClient = attempt;
    holder.newest = attempt;
    this.#weigh(holder, bytes);
  }

  remove(attempt: Attempt, bytes: number): void {
    const holder = this.#byClient.get(attempt.client);
    if (holder === undefined) return;
    const { olderOfClient: older, newerOfClient: newer } = attempt;
    if (older === null) holder.oldest = newer;
    else older.newerOfClient = newer;
    if (newer === null) holder.newest = older;
    else newer.olderOfClient = older;
    this.#weigh(holder, -bytes);
  }

  /** An attempt in the book takes more. */
  grow({ client }: Attempt, bytes: number): void {
    const holder = this.#byClient.get(client);
    if (holder !== undefined) this.#weigh(holder, bytes);
  }

  /** The oldest attempt of a client that holds at least half as much as any. */
  oldestOfHeaviest(): Attempt | null {
    for (let level = LEVELS - 1; level >= 0; level -= 1) {
      for (const { oldest } of this.#levels[level] ?? []) return oldest;
    }
    return null;
  }

  #weigh(holder: Holder, bytes: number): void {
    holder.bytes += bytes;
    const level = LEVELS - 1 - Math.clz32(holder.bytes);
    if (level === holder.level) return;
    this.#levels[holder.level]?.delete(holder);
    holder.level = level;
    // Level -1 is that of a client that holds nothing.
    if (level >= 0) this.#levels[level]?.add(holder);
    else this.#byClient.delete(holder.client);
  }
}
