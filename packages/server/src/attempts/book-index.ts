import { BoundedMap } from '../base/bounded-map.js';
import type { Taker } from '../inbox/inboxes.js';
import type { Attempt } from './attempt.js';

/** Emails whose takers are remembered until their attempt is written down, a moment after they are on disk. */
const MAX_EARLY = 1_000;

/** How old such an email may be: one that is older came before this process, or its attempt is forgotten. */
const EARLY_MS = 10_000;

interface Holder {
  readonly client: string;
  oldest: Attempt | null;
  newest: Attempt | null;
  /** How many of its attempts delivered an email, by the name that it gave in EHLO. */
  readonly delivered: Map<string | null, number>;
  bytes: number;
  level: number;
}

/** As many as a number of 32 bits has. */
const LEVELS = 32;

/** Each client's share of the book, by powers of two: finding the heaviest costs the same for any number. */
export class Holders {
  readonly #byClient = new Map<string, Holder>();
  readonly #levels = Array.from({ length: LEVELS }, () => new Set<Holder>());

  newestOf(client: string): Attempt | null {
    return this.#byClient.get(client)?.newest ?? null;
  }

  hasDelivered(client: string, hello: string | null): boolean {
    return this.#byClient.get(client)?.delivered.has(hello) ?? false;
  }

  add(attempt: Attempt, bytes: number): void {
    const { client } = attempt;
    let holder = this.#byClient.get(client);
    if (holder === undefined) {
      holder = { client, oldest: null, newest: null, delivered: new Map(), bytes: 0, level: 0 };
      this.#byClient.set(client, holder);
    }
    attempt.olderOfClient = holder.newest;
    if (holder.newest === null) holder.oldest = attempt;
    else holder.newest.newerOfClient = attempt;
    holder.newest = attempt;
    countDelivered(holder, attempt, 1);
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
    countDelivered(holder, attempt, -1);
    this.#weigh(holder, -bytes);
  }

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

function countDelivered({ delivered }: Holder, { recipients, hello }: Attempt, by: number): void {
  if (!recipients.some(({ receivedAt }) => receivedAt !== 0)) return;
  const count = (delivered.get(hello) ?? 0) + by;
  if (count > 0) delivered.set(hello, count);
  else delivered.delete(hello);
}

/** By inbox, the oldest first. Most inboxes have one attempt, which needs no list. */
export class InboxIndex {
  readonly #byInbox = new Map<string, Attempt | Attempt[]>();

  of(inbox: string): readonly Attempt[] {
    const known = this.#byInbox.get(inbox);
    if (known === undefined) return [];
    return Array.isArray(known) ? known : [known];
  }

  add(attempt: Attempt): void {
    for (const { inbox } of attempt.recipients) if (inbox !== null) this.#add(inbox, attempt);
  }

  remove(attempt: Attempt): void {
    for (const { inbox } of attempt.recipients) if (inbox !== null) this.#remove(inbox, attempt);
  }

  #add(inbox: string, attempt: Attempt): void {
    const known = this.#byInbox.get(inbox);
    if (known === undefined) this.#byInbox.set(inbox, attempt);
    // It is there already where a mail names an inbox twice.
    else if (!Array.isArray(known)) known === attempt || this.#byInbox.set(inbox, [known, attempt]);
    else if (known.at(-1) !== attempt) known.push(attempt);
  }

  #remove(inbox: string, attempt: Attempt): void {
    const known = this.#byInbox.get(inbox);
    if (known === attempt) this.#byInbox.delete(inbox);
    if (!Array.isArray(known)) return;
    const at = known.indexOf(attempt);
    if (at >= 0) known.splice(at, 1);
    if (known.length === 0) this.#byInbox.delete(inbox);
  }
}

interface EarlyTaker extends Taker {
  readonly monotonic: number;
}

/** Who took an email before its attempt was written down: a waiting stream has it before its sender hears of it. */
export class EarlyTakers {
  readonly #takers = new BoundedMap<string, readonly EarlyTaker[]>(MAX_EARLY);

  note(inbox: string, receivedAt: number, taker: EarlyTaker, now: number): void {
    if (receivedAt < now - EARLY_MS) return;
    const key = keyOf(inbox, receivedAt);
    const known = this.#takers.get(key) ?? [];
    if (!known.some(({ way }) => way === taker.way)) this.#takers.set(key, [...known, taker]);
  }

  take(inbox: string, receivedAt: number): readonly EarlyTaker[] {
    if (this.#takers.size === 0) return [];
    const key = keyOf(inbox, receivedAt);
    const known = this.#takers.get(key);
    if (known === undefined) return [];
    this.#takers.delete(key);
    return known;
  }
}

function keyOf(inbox: string, receivedAt: number): string {
  return `${receivedAt} ${inbox}`;
}
