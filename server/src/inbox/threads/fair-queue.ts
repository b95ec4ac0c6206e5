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
 * It needs no bound of its own: what waits counts as in flight, and against the limits of its client.
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

  /** What is next, without taking it; undefined when nothing waits. */
  first(): Entry<T> | undefined {
    for (;;) {
      const place = this.#places.at(-1);
      if (place === undefined) return undefined;
      const { account, items } = place;
      if (chargedMs(account) <= place.chargedMs) return { account, item: items[0] as T };
      this.#places.pop();
      this.#give(account, items);
    }
  }

  /** Takes what is next; undefined when nothing waits. */
  take(): Entry<T> | undefined {
    const first = this.first();
    const place = this.#places.at(-1);
    if (first === undefined || place === undefined) return undefined;
    place.items.shift();
    if (place.items.length === 0) {
      this.#places.pop();
      this.#byAccount.delete(first.account);
    }
    return first;
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

function chargedMs({ usedMs, expectedMs }: Account): number {
  return usedMs + expectedMs;
}
