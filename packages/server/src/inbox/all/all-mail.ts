import { Turns } from '../../limits/event-loop.js';
import type { StoredEmail } from '../../store/store.js';
import { isHidden } from '../held-back.js';
import { type Json, listedJson, listJson } from '../read/read.js';
import type { Leaving } from '../read/selecting.js';
import { type AllSelection, allTest } from './all-test.js';
import { type Follower, Following, type FollowingOptions, type ListedText } from './following.js';

export type { AllSelection, Follower, ListedText };

/** Store rows per turn of the event loop: some tenths of a millisecond. */
const SHARE = 100;

/** The same for a filter, which also reads what it looks in: up to 15 KB each. */
const FILTER_SHARE = 16;

/** Rows that one request looks at: the next page goes on behind them. */
const MOST_LOOKED_AT = 5_000;

/**
 * A page takes its last millisecond whole, as the next one begins at another. Emails beyond this bound are left out.
 */
const MOST_OF_A_MILLISECOND = 10_000;

export interface Viewer {
  mayOpen(inbox: string): boolean;
  /** Whether `mayOpen` is true of every inbox. */
  readonly seesAll: boolean;
  /** The space that all of it is in; null outside of every space (D66). */
  readonly space: string | null;
  readonly leaving: Leaving;
}

export interface AllPage {
  readonly limit: number;
  /** What the page before said; null for the first page. */
  readonly cursor: string | null;
}

interface Selected {
  readonly emails: readonly StoredEmail[];
  readonly next: string | null;
}

/** The emails of all inboxes, the last to expire first: in the order of the store, so that no list is kept. */
export class AllMail {
  readonly #options: FollowingOptions;
  readonly #turns = new Turns();
  readonly #following: Following;

  constructor(options: FollowingOptions) {
    this.#options = options;
    this.#following = new Following(options);
  }

  /** Tells of new mail until the returned function is called. Rejects if the store cannot be read. */
  follow(follower: Follower): Promise<() => void> {
    return this.#following.follow(follower);
  }

  async page(viewer: Viewer, selection: AllSelection, page: AllPage): Promise<Json> {
    const { emails, next } = await this.#select(viewer, selection, page);
    return listJson(
      { store: this.#options.store, turns: this.#turns },
      emails,
      listedJson,
      `,"next":${JSON.stringify(next)}`,
    );
  }

  async #select({ mayOpen, leaving }: Viewer, selection: AllSelection, page: AllPage): Promise<Selected> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const test = allTest(store, selection, now);
    const limit = test === null ? SHARE : FILTER_SHARE;
    const filling = new Filling(page.limit, selection.after);
    let place: { readonly behind: string } | { readonly upTo: number } | null = placeOf(page.cursor);
    while (place !== null && !leaving.aborted) {
      await this.#turns.next();
      const { emails: share, next } = await store.recent({ ...place, limit }, now);
      const visible = share.filter(({ inbox }) => !isHidden(inbox) && mayOpen(inbox));
      const found = new Set(test === null ? visible : await test(visible));
      if (!share.every((email) => filling.take(email, found.has(email)))) break;
      place = next === null ? null : { behind: next };
    }
    return filling;
  }
}

/** A page that is filled in the order of the deadlines. */
class Filling implements Selected {
  readonly emails: StoredEmail[] = [];
  next: string | null = null;
  readonly #limit: number;
  readonly #after: number;
  #looked = 0;
  /** The deadline that the page ends with, once it is long enough. */
  #end: number | null = null;

  constructor(limit: number, after = Number.NEGATIVE_INFINITY) {
    this.#limit = limit;
    this.#after = after;
  }

  /** Goes on with the next email; returns false if the page ends before it. */
  take(email: StoredEmail, isFound: boolean): boolean {
    if (this.#end !== null && email.expiresAt < this.#end) {
      this.next = cursorBehind(this.#end);
      return false;
    }
    if (email.receivedAt <= this.#after) return false;
    this.#looked += 1;
    if (isFound && this.emails.length < this.#limit + MOST_OF_A_MILLISECOND) this.emails.push(email);
    if (this.emails.length >= this.#limit || this.#looked >= MOST_LOOKED_AT) this.#end = email.expiresAt;
    return true;
  }
}

/** Only a time: the store's own places hold names of inboxes that the viewer may not know. */
const RADIX = 36;

function cursorBehind(expiresAt: number): string {
  return (expiresAt - 1).toString(RADIX);
}

function placeOf(cursor: string | null): { readonly upTo: number } {
  return { upTo: cursor === null ? Number.MAX_SAFE_INTEGER - 1 : Number.parseInt(cursor, RADIX) };
}
