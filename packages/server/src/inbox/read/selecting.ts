import type { Clock } from '../../base/clock.js';
import { type MaybePromise, withAnswer } from '../../base/maybe-promise.js';
import type { Turns } from '../../limits/event-loop.js';
import type { ListQuery, Scanned, Store, StoredEmail } from '../../store/store.js';
import { type EmailFilter, indexTest } from './filter.js';

/** Which emails of an inbox are wanted (D9). */
export interface Selection extends EmailFilter {
  /** Only emails with a later `receivedAt`, in milliseconds since the epoch. */
  readonly after?: number;
}

const LIST_SHARE = 128;

/** Bytes a filter reads in one turn, rows included (see `ScanQuery`). */
const FILTER_SHARE_BYTES = 128 * 1024;

export interface StoreAndClock {
  readonly store: Store;
  readonly clock: Clock;
}

export interface Shelf {
  readonly store: Store;
  readonly turns: Turns;
}

/** Whether an answer is still wanted, such as an `AbortSignal`. Once aborted, it stays so. */
export interface Leaving {
  readonly aborted: boolean;
}

export interface Look extends Pick<ListQuery, 'before' | 'limit'> {
  readonly inbox: string;
  readonly selection: Selection;
  readonly now: number;
  /** Aborted once the answer is unwanted: the look ends. */
  readonly signal: Leaving;
}

/**
 * The emails that match a selection and are unexpired at `now`, newest first, at most `limit`. Read in shares with
 * turns for others, or at once if one share is enough and at hand. An aborted signal ends it with what was found. Mail
 * that comes meanwhile is not included.
 */
export function select(shelf: Shelf, look: Look): MaybePromise<StoredEmail[]> {
  return new Search(shelf, look).run();
}

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
    // Lists are cheap; a filter may have much to read.
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
    // A small inbox is over without a second look.
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

export function emailAt(
  store: Store,
  inbox: string,
  receivedAt: number,
  now: number,
): MaybePromise<StoredEmail | null> {
  const listed = store.list(inbox, { ...onlyAt(receivedAt), limit: 1 }, now);
  return withAnswer(listed, ([email]) => email ?? null);
}

/** What filters read of it; undefined if it is deleted. */
export function indexAt(
  store: Store,
  { inbox, receivedAt }: StoredEmail,
  now: number,
): MaybePromise<Uint8Array | undefined> {
  const scanned = store.scan(inbox, { ...onlyAt(receivedAt), maxBytes: 1 }, now);
  return withAnswer(scanned, ([found]) => found?.index);
}

function onlyAt(receivedAt: number): { readonly after: number; readonly before: number } {
  return { after: receivedAt - 1, before: receivedAt + 1 };
}

export function laterThan(after: number | undefined): { after?: number } {
  return after === undefined ? {} : { after };
}
