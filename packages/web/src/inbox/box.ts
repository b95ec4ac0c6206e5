import type { Mail } from './mail.js';

/** Maximum number of emails that the page keeps (the newest ones). They take about 80 MB of memory. */
export const MAX_MAILS = 100_000;

/** The emails of a list, such as an inbox, all mail or the matches of a search, that the page has loaded. */
export interface Box {
  /** Newest first; null before the first list. */
  readonly mails: readonly Mail[] | null;
  /** The pages after the newest emails. Their emails are in `mails` unless they are not loaded, or were dropped. */
  readonly pages: readonly Page[];
  /** The keys of emails that arrived while the page was open and have not been on screen yet. */
  readonly unread: ReadonlySet<string>;
  /** The search that all of `mails` match; empty for all emails. */
  readonly search: string;
}

export const EMPTY_BOX: Box = { mails: null, pages: [], unread: new Set(), search: '' };

/** Emails with consecutive times. */
export interface Page {
  /** Where the service finds the page. */
  readonly cursor: string;
  /** 0 if unknown. */
  readonly count: number;
  /** The `receivedAt` of the oldest email; 0 if unknown. */
  readonly oldest: number;
  /** The keys of the loaded emails; null if they are not loaded. */
  readonly keys: ReadonlySet<string> | null;
  /** Whether `count` is right. */
  readonly isSized: boolean;
}

/** A page that the list can load again stays loaded while at most this many rows separate it from the last one. */
const FAR_ROWS = 2_000;

export interface Listed {
  readonly mails: readonly Mail[];
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null;
}

export interface Outline extends Pick<Listed, 'next'> {
  readonly pages: readonly Page[];
}

export type BoxEvent =
  /**
   * The newest emails. Known emails that are recent enough for this list, but missing from it, are gone. A list that
   * does not reach the known emails, or is of another search, replaces them.
   */
  | ({ readonly type: 'listed'; readonly search: string } & Listed)
  | { readonly type: 'came'; readonly mails: readonly Mail[] }
  /** `isKept` pages stay loaded. */
  | ({ readonly type: 'page'; readonly cursor: string; readonly isKept: boolean } & Listed)
  /** The sizes of the pages from a cursor on. */
  | ({ readonly type: 'outline'; readonly cursor: string } & Outline)
  /** All emails received up to this moment are gone. */
  | { readonly type: 'expired'; readonly upTo: number }
  | { readonly type: 'deleted'; readonly keys: readonly string[] }
  /** Without a key, all emails. */
  | { readonly type: 'seen'; readonly key?: string };

export function boxAfter(box: Box, event: BoxEvent): Box {
  switch (event.type) {
    case 'listed':
      return withListed(box, event);
    case 'came':
      return withNew(box, event.mails);
    case 'page':
      return withPage(box, event);
    case 'outline':
      return withOutline(box, event);
    case 'expired': {
      const left = without(box, ({ receivedAt }) => receivedAt <= event.upTo);
      const pages = unexpired(box.pages, left.mails ?? [], event.upTo);
      return pages === box.pages ? left : { ...left, pages };
    }
    case 'deleted':
      return without(box, ({ key }) => event.keys.includes(key));
    case 'seen':
      return { ...box, unread: filtered(box.unread, (key) => event.key !== undefined && key !== event.key) };
  }
}

/** Applies a `listed` event. Emails of the first list count as read. */
function withListed(box: Box, event: BoxEvent & { type: 'listed' }): Box {
  const { mails: listed, next, search } = event;
  if (box.mails === null || search !== box.search) {
    return bounded({ ...box, unread: new Set(), search }, listed, pagesAfter(next));
  }
  const present = new Set(listed.map(({ key }) => key));
  const oldest = listed.at(-1)?.receivedAt ?? Number.POSITIVE_INFINITY;
  const isContinued = next !== null && oldest <= newestTime(box);
  const kept = without(box, ({ key, receivedAt }) => !present.has(key) && (!isContinued || receivedAt >= oldest));
  return { ...withNew(kept, listed), pages: isContinued ? kept.pages : pagesAfter(next) };
}

/** The time of the newest email; `-Infinity` without any. */
export function newestTime({ mails }: Box): number {
  return mails?.[0]?.receivedAt ?? Number.NEGATIVE_INFINITY;
}

function withNew(box: Box, mails: readonly Mail[]): Box {
  const newest = newestTime(box);
  const keys = mails.filter(({ receivedAt }) => receivedAt > newest).map(({ key }) => key);
  const unread = keys.length === 0 ? box.unread : new Set([...box.unread, ...keys]);
  return bounded({ ...box, unread }, merged(box.mails ?? [], mails), box.pages);
}

function pagesAfter(next: string | null): readonly Page[] {
  return next === null ? [] : [{ cursor: next, count: 0, oldest: 0, keys: null, isSized: false }];
}

/** Adds the emails of a page, and drops those of pages far away. */
function withPage(box: Box, { cursor, isKept, mails: listed, next }: BoxEvent & { type: 'page' }): Box {
  const at = box.pages.findIndex((page) => page.cursor === cursor);
  if (at < 0) return box;
  const mails = listed.filter(({ receivedAt }) => receivedAt >= (box.pages[at]?.oldest ?? 0));
  const keys = new Set(mails.map(({ key }) => key));
  const page = { cursor, count: keys.size, oldest: mails.at(-1)?.receivedAt ?? 0, keys, isSized: true };
  const after = at === box.pages.length - 1 ? pagesAfter(next) : box.pages.slice(at + 1);
  const pages = [...box.pages.slice(0, at), ...(mails.length === 0 ? [] : [page]), ...after];
  // Compares rows and not pages, because the visible rows may be those of many pages.
  const rowsTo = (place: number) =>
    pages.slice(Math.min(at, place) + 1, Math.max(at, place)).reduce((sum, { count }) => sum + count, 0);
  const far = new Set(pages.filter(({ keys }, place) => !isKept && keys !== null && rowsTo(place) > FAR_ROWS));
  const isFar = ({ key }: Mail) => [...far].some((one) => one.keys?.has(key));
  const all = merged(box.mails ?? [], mails);
  const left = far.size === 0 ? all : all.filter((mail) => !isFar(mail));
  const shown = pages.map((one) => (far.has(one) ? { ...one, count: countIn(all, one), keys: null } : one));
  return bounded(box, left, shown);
}

function countIn(mails: readonly Mail[], { keys }: Page): number {
  return mails.filter(({ key }) => keys?.has(key)).length;
}

function withOutline(box: Box, { cursor, pages, next }: BoxEvent & { type: 'outline' }): Box {
  const at = box.pages.findIndex((page) => page.cursor === cursor);
  if (at < 0) return box;
  const known = new Map(box.pages.map((page) => [page.cursor, page]));
  const sized = pages.map((page) => ({ ...page, keys: known.get(page.cursor)?.keys ?? null }));
  return { ...box, pages: [...box.pages.slice(0, at), ...sized, ...pagesAfter(next)] };
}

/** The pages that have not expired. The size of one that has partly expired must be requested again. */
function unexpired(pages: readonly Page[], mails: readonly Mail[], upTo: number): readonly Page[] {
  const isOld = ({ oldest, isSized }: Page) => isSized && oldest <= upTo;
  if (!pages.some(isOld)) return pages;
  return pages.flatMap((page, at) => {
    const before = pages[at - 1];
    if (before !== undefined && before.count > 0 && before.oldest <= upTo) return [];
    if (!isOld(page)) return page;
    if (page.keys === null) return { ...page, isSized: false };
    return countIn(mails, page) === 0 ? [] : page;
  });
}

/** Room for emails that are not loaded. `receivedAt` is that of the oldest. */
export interface Gap extends Pick<Mail, 'key' | 'receivedAt'> {
  readonly count: number;
}

export type Row = Mail | Gap;

export function isGap(row: Row): row is Gap {
  return 'count' in row;
}

/** The emails, with a gap for the emails of each page that is not loaded. */
export function rowsOf(mails: readonly Mail[], pages: readonly Page[]): readonly Row[] {
  const rows: Row[] = [...mails];
  for (const { cursor, count, oldest, keys } of pages) {
    if (keys !== null) continue;
    const at = rows.findIndex((row) => row.receivedAt < oldest);
    rows.splice(at < 0 ? rows.length : at, 0, { key: cursor, receivedAt: oldest, count });
  }
  return rows;
}

/** The number of emails, and whether it is known. */
export function totalOf(rows: readonly Row[]): { readonly total: number; readonly isKnown: boolean } {
  const gaps = rows.filter(isGap);
  return {
    total: gaps.reduce((sum, { count }) => sum + count, rows.length - gaps.length),
    isKnown: gaps.every(({ count }) => count > 0),
  };
}

function without(box: Box, isGone: (mail: Mail) => boolean): Box {
  const gone = new Set(box.mails?.filter(isGone).map(({ key }) => key));
  if (gone.size === 0) return box;
  const isLeft = (key: string) => !gone.has(key);
  return {
    ...box,
    mails: box.mails?.filter(({ key }) => isLeft(key)) ?? null,
    unread: filtered(box.unread, isLeft),
  };
}

/** Returns the same set if all keys stay, because effects run again when the set changes. */
function filtered(keys: ReadonlySet<string>, isWanted: (key: string) => boolean): ReadonlySet<string> {
  const left = [...keys].filter(isWanted);
  return left.length === keys.size ? keys : new Set(left);
}

/** A list with other emails added, newest first, without duplicates. Compares only emails of the same time span. */
function merged(all: readonly Mail[], added: readonly Mail[]): readonly Mail[] {
  const times = added.map(({ receivedAt }) => receivedAt);
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  const from = all.filter(({ receivedAt }) => receivedAt > newest).length;
  const to = all.findLastIndex(({ receivedAt }) => receivedAt >= oldest) + 1;
  const within = all.slice(from, to);
  const known = new Set(within.map(({ key }) => key));
  const fresh = added.filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return all;
  within.push(...fresh);
  within.sort((a, b) => b.receivedAt - a.receivedAt);
  return [...all.slice(0, from), ...within, ...all.slice(to)];
}

function bounded(box: Box, mails: readonly Mail[], pages: readonly Page[]): Box {
  return mails.length < MAX_MAILS ? { ...box, mails, pages } : { ...box, mails: mails.slice(0, MAX_MAILS), pages: [] };
}

export function newestUnread({ mails, unread }: Box): string | null {
  return mails?.find(({ key }) => unread.has(key))?.key ?? null;
}
