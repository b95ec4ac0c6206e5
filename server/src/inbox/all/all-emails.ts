import type { Clock } from '../../base/clock.js';
import { Turns } from '../../fairness/event-loop.js';
import type { Store, StoredEmail } from '../../store/store.js';
import { isHidden } from '../held-back.js';
import { type Json, listedTexts } from '../read/read.js';
import type { Viewer } from './all-inboxes.js';
import { type AllSelection, allTest } from './all-test.js';
import { type Follower, Following } from './following.js';

/** Store rows per turn of the event loop: some tenths of a millisecond. */
const SHARE = 100;

/** The same for a filter, which also reads what it looks in: up to 15 KB each. */
const FILTER_SHARE = 16;

/** Rows that one request looks at: the next page goes on behind them. */
const MOST_LOOKED_AT = 5_000;

/**
 * A page takes its last millisecond whole, for the next one begins at another. Emails of it beyond this bound are left
 * out.
 */
const MOST_OF_A_MILLISECOND = 10_000;

/** Summaries read and sent together: at most 150 KB of JSON. */
const SENT_AT_ONCE = 128;

export interface AllPage {
  readonly limit: number;
  /** What the page before said; null for the first page. */
  readonly cursor: string | null;
}

interface Selected {
  readonly emails: readonly StoredEmail[];
  /** The cursor of the next page; null if there is none. */
  readonly next: string | null;
}

export interface AllEmailsOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * The emails of all inboxes, the last to expire first. They are read in the order in which the store deletes them, and
 * no list is kept: a hundred thousand cost no more memory than a page.
 */
export class AllEmails {
  readonly #options: AllEmailsOptions;
  readonly #turns = new Turns();
  readonly #following: Following;

  constructor(options: AllEmailsOptions) {
    this.#options = options;
    this.#following = new Following(options);
  }

  /** Mail came into inboxes or was cleared in this process. */
  changed(inboxes: Iterable<string>): void {
    this.#following.changed(inboxes);
  }

  /** Tells of new mail until the returned function is called. Rejects if the store cannot be read. */
  follow(follower: Follower): Promise<() => void> {
    return this.#following.follow(follower);
  }

  /** The JSON of an `AllEmailsResponse`: emails that the viewer may see and that match. */
  async page(viewer: Viewer, selection: AllSelection, page: AllPage): Promise<Json> {
    const { emails, next } = await this.#select(viewer, selection, page);
    if (emails.length > SENT_AT_ONCE) return this.#pieces(emails, next);
    const texts = (await listedTexts(this.#options.store, emails)).map(({ json }) => json);
    return `{"emails":[${texts.join()}${endOf(texts.length, next)}`;
  }

  async *#pieces(emails: readonly StoredEmail[], next: string | null): AsyncGenerator<Uint8Array> {
    let count = 0;
    yield Buffer.from('{"emails":[');
    for (let start = 0; start < emails.length; start += SENT_AT_ONCE) {
      const texts = await listedTexts(this.#options.store, emails.slice(start, start + SENT_AT_ONCE));
      const comma = count > 0 && texts.length > 0 ? ',' : '';
      yield Buffer.from(comma + texts.map(({ json }) => json).join(), 'latin1');
      await this.#turns.next();
      count += texts.length;
    }
    yield Buffer.from(endOf(count, next));
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

function endOf(count: number, next: string | null): string {
  return `],"count":${count},"next":${JSON.stringify(next)}}`;
}

/** Only a time: the store's own places hold names of inboxes that the viewer may not know. */
const RADIX = 36;

function cursorBehind(expiresAt: number): string {
  return (expiresAt - 1).toString(RADIX);
}

function placeOf(cursor: string | null): { readonly upTo: number } {
  return { upTo: cursor === null ? Number.MAX_SAFE_INTEGER - 1 : Number.parseInt(cursor, RADIX) };
}
