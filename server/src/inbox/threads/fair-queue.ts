import type { Account } from './accounts.js';

/** Something that waits, and for whom. */
export interface Entry<T> {
  readonly account: Account;
  readonly item: T;
}

/** A client's place among the others: what it was charged with when the place was given. */
interface Place<T> {
  readonly account: Account;
  readonly chargedMs: number;
  readonly items: T[];
}

/**
 * A queue for each client, of which always that one is next whose client has used the least time so far; within a queue, who
 * came first. So whoever uses much waits for those who use little, and a thousand mails of one client are one client's (D22).
 *
 * It has no bound of its own: whoever fills it has one.
 */
export class FairQueue<T> {
  /** Those who wait, whoever is next last. What somebody is charged with may be more by now than it was at its place. */
  readonly #places: Place<T>[] = [];
  readonly #byAccount = new Map<Account, Place<T>>();

  get isEmpty(): boolean {
    return this.#places.length === 0;
  }

  /** Puts something at the end of its client's queue. */
  add({ account, item }: Entry<T>): void {
    const place = this.#byAccount.get(account);
    if (place !== undefined) place.items.push(item);
    else this.#give(account, [item]);
  }

  /** Puts something that was taken back at the beginning of its client's queue. */
  putBack({ account, item }: Entry<T>): void {
    const place = this.#byAccount.get(account);
    if (place !== undefined) place.items.unshift(item);
    else this.#give(account, [item]);
  }

  /**
   * What is next of the clients that may have a turn, without taking it; undefined when nothing of theirs waits. Few may be without: each
   * is looked at again every time.
   */
  first(mayTake: (account: Account) => boolean = anybody): Entry<T> | undefined {
    const place = this.#next(mayTake);
    return place && { account: place.account, item: place.items[0] as T };
  }

  /** Takes what is next; undefined as in `first`. */
  take(mayTake: (account: Account) => boolean = anybody): Entry<T> | undefined {
    const place = this.#next(mayTake);
    if (place === undefined) return undefined;
    const item = place.items.shift() as T;
    if (place.items.length === 0) this.#removePlace(place);
    return { account: place.account, item };
  }

  /** Takes out what waits for nothing any more; tells whether it was there. */
  remove({ account, item }: Entry<T>): boolean {
    const place = this.#byAccount.get(account);
    const at = place?.items.indexOf(item) ?? -1;
    if (place === undefined || at < 0) return false;
    place.items.splice(at, 1);
    if (place.items.length === 0) this.#removePlace(place);
    return true;
  }

  /**
   * A client is charged with less than before. Its place was given for what was expected of its mail, and there it would wait for
   * others to use as much, which may be minutes of work.
   */
  discharged(account: Account): void {
    const place = this.#byAccount.get(account);
    if (place === undefined || chargedMs(account) >= place.chargedMs) return;
    this.#removePlace(place);
    this.#give(account, place.items);
  }

  #next(mayTake: (account: Account) => boolean): Place<T> | undefined {
    let at = this.#places.length - 1;
    while (at >= 0) {
      const place = this.#places[at] as Place<T>;
      const { account, items } = place;
      if (chargedMs(account) > place.chargedMs) {
        // It goes further back, so what stands here now was not looked at yet.
        this.#places.splice(at, 1);
        this.#give(account, items);
        continue;
      }
      if (mayTake(account)) return place;
      at -= 1;
    }
    return undefined;
  }

  #removePlace(place: Place<T>): void {
    this.#places.splice(this.#places.lastIndexOf(place), 1);
    this.#byAccount.delete(place.account);
  }

  /** Gives a client its place: behind those that have used as much. */
  #give(account: Account, items: T[]): void {
    const place = { account, chargedMs: chargedMs(account), items };
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as Place<T>).chargedMs > place.chargedMs) low = middle + 1;
      else high = middle;
    }
    this.#places.splice(low, 0, place);
    this.#byAccount.set(account, place);
  }
}

function anybody(): boolean {
  return true;
}

function chargedMs({ usedMs, expectedMs }: Account): number {
  return usedMs + expectedMs;
}
