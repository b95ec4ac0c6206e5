import type { EmailSummary, OutlineResponse } from 'mayfly-protocol';
import { Turns } from '../limits/event-loop.js';
import type { StoredEmail } from '../store/store.js';
import type { Changes } from './changes.js';
import { isHidden } from './held-back.js';
import { type Json, type ListedText, listedJson, listedTexts, listJson } from './read/read.js';
import {
  comparable,
  indexAt,
  indexTest,
  type Leaving,
  type Selection,
  type Shelf,
  wordsMissingIn,
} from './read/selecting.js';

/** Number of store rows read per turn of the event loop. Reading them takes some tenths of a millisecond. */
const SHARE = 100;

/** Number of store rows per turn with a filter, which also reads up to 15 KB of searched values per row. */
const FILTER_SHARE = 16;

/** Maximum rows that one request reads. The next page continues after them. */
const MOST_LOOKED_AT = 5_000;

/** Size of the pages in an outline, the largest that a client can list. */
const OUTLINE_PAGE = 500;

/** A page may exceed its limit by this many emails that expire in its last millisecond. Any more are on no page. */
const MOST_OF_A_MILLISECOND = 10_000;

export interface Viewer {
  mayOpen(inbox: string): boolean;
  /** Whether `mayOpen` is true of every inbox. */
  readonly seesAll: boolean;
  /** The viewer's ad-hoc workspace, or null (D66). */
  readonly adHoc: string | null;
  readonly leaving: Leaving;
}

export interface AllPage {
  readonly limit: number;
  readonly cursor: string | null;
}

export interface AllSelection extends Selection {
  readonly to?: string | undefined;
  /** Words that all occur in the recipient, the sender, the subject, the text or the code. */
  readonly search?: string | undefined;
}

/** The emails of all inboxes, latest expiry first. The store has the same order, so no list is kept in memory. */
export class AllMail {
  readonly #shelf: Shelf;
  readonly following: Following;

  constructor(options: FollowingOptions) {
    this.#shelf = { ...options, turns: new Turns() };
    this.following = new Following(options);
  }

  async page(viewer: Viewer, selection: AllSelection, page: AllPage): Promise<Json> {
    const { emails, next } = await this.#select(viewer, selection, page);
    return listJson(this.#shelf, emails, listedJson, `,"next":${JSON.stringify(next)}`);
  }

  /** The cursors and sizes of pages. New mail, and mail that expires, changes only the first and the last page. */
  async outline(viewer: Viewer, cursor: string | null): Promise<OutlineResponse> {
    const { emails, next } = await this.#select(viewer, {}, { limit: MOST_LOOKED_AT, cursor });
    const pages: OutlineResponse['pages'] = [];
    for (let from = 0, to = 0; from < emails.length; from = to) {
      to = Math.min(from + OUTLINE_PAGE, emails.length);
      while (emails[to]?.expiresAt === emails[to - 1]?.expiresAt) to += 1;
      const [before, last] = [emails[from - 1], emails[to - 1] as StoredEmail];
      const start = before === undefined ? cursor : cursorAfter(before);
      pages.push({ cursor: start, count: to - from, oldest: new Date(last.receivedAt).toISOString() });
    }
    return { pages, next };
  }

  /** Selects a page, latest expiry first, with all emails that expire in the same millisecond as its last one. */
  async #select({ mayOpen, leaving }: Viewer, selection: AllSelection, { limit, cursor }: AllPage) {
    const { store, clock, turns } = this.#shelf;
    const now = clock.now();
    const { matching, shareRows } = matcherOf(this.#shelf, selection);
    const { after = Number.NEGATIVE_INFINITY } = selection;
    const emails: StoredEmail[] = [];
    let looked = 0;
    let end = Number.NEGATIVE_INFINITY;
    let place: { readonly behind: string } | { readonly upTo: number } | null = { upTo: timeOf(cursor) };
    while (place !== null && !leaving.aborted) {
      await turns.next();
      const share = await store.recent({ ...place, limit: shareRows }, now);
      const visible = share.emails.filter(({ inbox }) => !isHidden(inbox) && mayOpen(inbox));
      const found = new Set(await matching(visible));
      for (const email of share.emails) {
        if (email.expiresAt < end) return { emails, next: cursorAfter({ expiresAt: end }) };
        if (email.receivedAt <= after) return { emails, next: null };
        looked += 1;
        if (found.has(email) && emails.length < limit + MOST_OF_A_MILLISECOND) emails.push(email);
        if (emails.length >= limit || looked >= MOST_LOOKED_AT) end = email.expiresAt;
      }
      place = share.next === null ? null : { behind: share.next };
    }
    return { emails, next: null };
  }
}

/** A test of emails by all filters except the time, and the number of store rows to read per turn. */
function matcherOf(shelf: Shelf, { to = '', search = '', ...selection }: AllSelection) {
  const recipient = to.toLowerCase();
  const words = comparable(search).split(/\s+/).filter(Boolean);
  const isIndexRight = indexTest(selection);
  if (isIndexRight === null && recipient === '' && words.length === 0) {
    return { matching: async (emails: readonly StoredEmail[]) => emails, shareRows: SHARE };
  }
  const matches = async (email: StoredEmail): Promise<boolean> => {
    if (!email.to.includes(recipient)) return false;
    if (isIndexRight === null && words.length === 0) return true;
    const index = await indexAt(shelf, email);
    if (index === undefined || isIndexRight?.(index) === false) return false;
    const missing = wordsMissingIn(index, words).filter((word) => !email.to.includes(word));
    if (missing.length === 0) return true;
    // The index lacks the sender's name. If a code has groups, the index has only that form (`482 913`, not `482913`).
    const [record] = await shelf.store.summaries([email]);
    if (!record) return false;
    const { fromName, code }: EmailSummary = JSON.parse(Buffer.from(record).toString());
    const shown = `${fromName} ${code ?? ''}`.toLowerCase();
    return missing.every((word) => shown.includes(word));
  };
  const matching = async (emails: readonly StoredEmail[]) => {
    const areRight = await Promise.all(emails.map(matches));
    return emails.filter((_, n) => areRight[n]);
  };
  return { matching, shareRows: FILTER_SHARE };
}

/** A cursor contains only a time, because the store's positions contain inbox names that the viewer may not know. */
const RADIX = 36;

function cursorAfter({ expiresAt }: Pick<StoredEmail, 'expiresAt'>): string {
  return (expiresAt - 1).toString(RADIX);
}

function timeOf(cursor: string | null): number {
  return cursor === null ? Number.MAX_SAFE_INTEGER - 1 : Number.parseInt(cursor, RADIX);
}

/** Number of newest emails compared with the previous read. If all are new, followers list again to get any others. */
const COMPARED = 100;

const LOOK_MS = 2_000;

/** Under a flood, mail is announced in batches of this many milliseconds. */
const GAP_MS = 100;

/** If more inboxes than this have changed, followers are asked to list again. */
const MOST_CHANGED = 1_000;

export interface Follower {
  mayOpen(inbox: string): boolean;
  came(emails: readonly ListedText[]): void;
  /** Called if mail was deleted, or if `came` did not get all new mail. The follower must then list again. */
  changed(): void;
}

interface FollowingOptions extends Pick<Shelf, 'store' | 'clock'> {
  readonly changes: Pick<Changes, 'listen'>;
}

interface Known {
  readonly byKey: ReadonlyMap<string, StoredEmail>;
  /** Emails that expire at this time or earlier may be missing from the read. */
  readonly end: number;
}

/** Sends followers the differences between two reads of the newest emails. Without followers, reads nothing. */
class Following {
  readonly #options: FollowingOptions;
  readonly #followers = new Set<Follower>();
  #known: Known | null = null;
  #beginning: Promise<void> | null = null;
  #changed = new Set<string>();
  #isBehind = false;
  #isRunning = false;
  #wake = () => {};

  constructor(options: FollowingOptions) {
    this.#options = options;
    options.changes.listen((inboxes) => this.#noteChanged(inboxes));
  }

  #noteChanged(inboxes: ReadonlySet<string>): void {
    if (this.#known === null && this.#beginning === null) return;
    for (const inbox of inboxes) {
      if (this.#changed.size < MOST_CHANGED) this.#changed.add(inbox);
      else this.#isBehind = true;
    }
    this.#wake();
  }

  /** Once this resolves, the follower gets all mail that a list read later lacks. Rejects if the store fails. */
  async follow(follower: Follower): Promise<() => void> {
    if (this.#known === null) {
      this.#beginning ??= this.#look().finally(() => {
        this.#beginning = null;
      });
      await this.#beginning;
    }
    this.#followers.add(follower);
    if (!this.#isRunning) void this.#run();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#wake();
    };
  }

  /** Reads again after changes in this process, at most once in `GAP_MS`, and every `LOOK_MS` for other changes. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let gapMs = 0; this.#followers.size > 0; ) {
      await this.#sleep(gapMs, () => gapMs === 0);
      await this.#sleep(LOOK_MS - gapMs, () => this.#changed.size > 0 || this.#isBehind);
      if (this.#followers.size === 0) break;
      gapMs = GAP_MS;
      // After a failure, reads again later. Logs nothing, because the store itself logs that it is unavailable.
      await this.#look().catch(() => {
        this.#isBehind = true;
        gapMs = LOOK_MS;
      });
    }
    this.#isRunning = false;
    this.#known = null;
    this.#changed.clear();
    this.#isBehind = false;
  }

  /** Resolves after this time, or as soon as the condition is true or no follower is left. */
  #sleep(ms: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        if (!isOver() && this.#followers.size > 0) return;
        cancel();
        resolve();
      };
      this.#wake();
    });
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#options;
    const [changed, isBehind] = [this.#changed, this.#isBehind];
    [this.#changed, this.#isBehind] = [new Set(), false];
    const now = clock.now();
    const page = await store.recent({ limit: COMPARED }, now);
    const emails = page.emails.filter(({ inbox }) => !isHidden(inbox));
    const end = page.next === null ? Number.NEGATIVE_INFINITY : (page.emails.at(-1)?.expiresAt ?? now);
    const before = this.#known;
    const known = { byKey: new Map(emails.map((email) => [keyOf(email), email])), end };
    this.#known = known;
    if (before === null) return;
    const come = [...newIn(known, before)].reverse();
    const gone = newIn(before, known).filter(({ expiresAt }) => expiresAt > now);
    const told = new Set([...come, ...gone].map(({ inbox }) => inbox));
    const unclear = [...gone.map(({ inbox }) => inbox), ...[...changed].filter((inbox) => !told.has(inbox))];
    const hasMore = isBehind || (page.next !== null && come.length === emails.length);
    const texts = await listedTexts(store, come);
    for (const follower of [...this.#followers]) {
      const seen = texts.filter(({ inbox }) => follower.mayOpen(inbox));
      if (seen.length > 0) follower.came(seen);
      if (hasMore || unclear.some((inbox) => !isHidden(inbox) && follower.mayOpen(inbox))) follower.changed();
    }
  }
}

/** The emails that the `other` read lacks, not counting those that expire too early to be in it. */
function newIn({ byKey }: Known, other: Known): readonly StoredEmail[] {
  return [...byKey].flatMap(([key, email]) => (other.byKey.has(key) || email.expiresAt <= other.end ? [] : [email]));
}

function keyOf({ inbox, receivedAt }: StoredEmail): string {
  return `${receivedAt} ${inbox}`;
}
