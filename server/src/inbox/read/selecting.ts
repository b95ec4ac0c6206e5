import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import type { Turns } from '../../fairness/event-loop.js';
import type { ListQuery, Scanned, Store, StoredEmail } from '../../store/store.js';
import { type EmailFilter, indexTest } from './filter.js';

/** Which emails of an inbox are wanted (D9). */
export interface Selection extends EmailFilter {
  /** Only emails with a later `receivedAt`, in milliseconds since the epoch. */
  readonly after?: number;
}

const LIST_SHARE = 128;

/** How many bytes a filter looks at in one turn, each email's row counted with them (see `ScanQuery`). */
const FILTER_SHARE_BYTES = 128 * 1024;

export interface Shelf {
  readonly store: Store;
  readonly turns: Turns;
}

/** Whether an answer is still wanted; an `AbortSignal` is one. Once aborted, it stays so. */
export interface Leaving {
  readonly aborted: boolean;
}

/** Which part of an inbox is looked at, as of when, and for whom. */
export interface Look extends Pick<ListQuery, 'before' | 'limit'> {
  readonly inbox: string;
  readonly selection: Selection;
  readonly now: number;
  /** Aborted when the answer is no longer wanted: the look then ends wherever it is. */
  readonly signal: Leaving;
}

/**
 * The emails of an inbox that match a selection and are unexpired at `now`, newest first, at most `limit` of them. Read
 * in shares, with turns for others between them: at once where the store has all of it at hand in one. Those found so
 * far when the look's signal is aborted. Mail that comes meanwhile is not among them.
 */
export function select(shelf: Shelf, look: Look): MaybePromise<StoredEmail[]> {
  return new Search(shelf, look).run();
}

/** The newest of the same emails, or null when there is none. */
export function newestMatching(shelf: Shelf, look: Look): MaybePromise<StoredEmail | null> {
  return withAnswer(select(shelf, { ...look, limit: 1 }), ([email]) => email ?? null);
}

class Search {
  readonly #shelf: Shelf;
  readonly #look: Look;
  readonly #test: ((index: Uint8Array) => boolean) | null;
  readonly #most: number;
  readonly #found: StoredEmail[] = [];
  #before: number | undefined;

  constructor(shelf: Shelf, look: Look) {
    this.#shelf = shelf;
    this.#look = look;
    this.#test = indexTest(look.selection);
    this.#most = look.limit ?? Number.POSITIVE_INFINITY;
    this.#before = look.before;
  }

  run(): MaybePromise<StoredEmail[]> {
    // A list costs little; a filter may have much to look at.
    const turn = this.#test === null ? undefined : this.#shelf.turns.first();
    const isOver = withAnswer(turn, () => this.#share());
    return isOver === true ? this.#found : this.#others(isOver);
  }

  async #others(first: MaybePromise<boolean>): Promise<StoredEmail[]> {
    for (let isOver = await first; !isOver; isOver = await this.#share()) await this.#shelf.turns.next();
    return this.#found;
  }

  #share(): MaybePromise<boolean> {
    const { inbox, selection, now, signal } = this.#look;
    if (signal.aborted) return true;
    const range = { ...laterThan(selection.after), ...(this.#before === undefined ? {} : { before: this.#before }) };
    const { store } = this.#shelf;
    const test = this.#test;
    const limit = Math.min(LIST_SHARE, this.#most - this.#found.length);
    return test === null
      ? withAnswer(store.list(inbox, { ...range, limit }, now), this.#listed)
      : withAnswer(store.scan(inbox, { ...range, maxBytes: FILTER_SHARE_BYTES }, now), (page) =>
          this.#scanned(page, test),
        );
  }

  readonly #listed = (share: readonly StoredEmail[]): boolean => {
    for (const email of share) this.#found.push(email);
    this.#before = share.at(-1)?.receivedAt;
    // An inbox of less than a share needs no second look to be over.
    return share.length < LIST_SHARE || this.#found.length >= this.#most;
  };

  #scanned(page: readonly Scanned<StoredEmail>[], test: (index: Uint8Array) => boolean): boolean {
    for (const { email, index } of page) {
      if (this.#found.length < this.#most && test(index)) this.#found.push(email);
    }
    this.#before = page.at(-1)?.email.receivedAt;
    return this.#before === undefined || this.#found.length >= this.#most;
  }
}

/** The email of an inbox with exactly this `receivedAt`, or null when it has none that is unexpired at `now`. */
export function emailAt(
  store: Store,
  inbox: string,
  receivedAt: number,
  now: number,
): MaybePromise<StoredEmail | null> {
  const listed = store.list(inbox, { after: receivedAt - 1, before: receivedAt + 1, limit: 1 }, now);
  return withAnswer(listed, ([email]) => email ?? null);
}

export function laterThan(after: number | undefined): { after?: number } {
  return after === undefined ? {} : { after };
}
