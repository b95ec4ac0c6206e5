import type { Mail } from './mail.js';

/** The emails of a list, such as an inbox, all mail or the matches of a search, that the page has loaded. */
export interface Box {
  /** Newest first; null before the first list. */
  readonly mails: readonly Mail[] | null;
  /** The cursor of older emails; null if `mails` includes the oldest email, or has `max` emails. */
  readonly next: string | null;
  /** The keys of emails that arrived while the page was open and have not been on screen yet. */
  readonly unread: ReadonlySet<string>;
  /** The key of the email that a wide page shows until the user chooses one. New mail does not replace it. */
  readonly held: string | null;
  /** The search that all of `mails` match; empty for all emails. */
  readonly search: string;
  /** Maximum number of emails that the page keeps (the newest ones). */
  readonly max: number;
}

export type BoxEvent =
  /**
   * The newest emails. Known emails that are recent enough for this list, but missing from it, are gone. If the list
   * contains no known email, emails between it and the known ones may be missing: the known ones stay only if the list
   * `isFilled`, that is if older lists follow. A list of another search replaces the known emails.
   */
  | {
      readonly type: 'listed';
      readonly mails: readonly Mail[];
      readonly next: string | null;
      readonly search?: string;
      readonly isFilled?: boolean;
    }
  | { readonly type: 'came'; readonly mails: readonly Mail[] }
  | { readonly type: 'older'; readonly mails: readonly Mail[]; readonly next: string | null }
  /** All emails received up to this moment are gone. */
  | { readonly type: 'expired'; readonly upTo: number }
  /** After `removed` (on this page), `held` moves to the newest email. After `deleted` (elsewhere), it stays. */
  | { readonly type: 'deleted' | 'removed'; readonly keys: readonly string[] }
  /** Without a key, all emails. */
  | { readonly type: 'seen'; readonly key?: string }
  | { readonly type: 'let go' };

export function emptyBox(max: number): Box {
  return { mails: null, next: null, unread: new Set(), held: null, search: '', max };
}

export function boxAfter(box: Box, event: BoxEvent): Box {
  const mails = box.mails ?? [];
  switch (event.type) {
    case 'listed':
      return holding(withListed(box, event));
    case 'came':
      return holding(withNew(box, event.mails));
    case 'older':
      return bounded(box, merged(mails, event.mails), event.next);
    case 'expired':
      return without(box, ({ receivedAt }) => receivedAt <= event.upTo);
    case 'deleted':
      return without(box, ({ key }) => event.keys.includes(key));
    case 'removed': {
      const left = without(box, ({ key }) => event.keys.includes(key));
      const isHeld = box.held !== null && event.keys.includes(box.held);
      return isHeld ? { ...left, held: left.mails?.[0]?.key ?? null } : left;
    }
    case 'seen':
      return { ...box, unread: filtered(box.unread, (key) => event.key !== undefined && key !== event.key) };
    case 'let go':
      return { ...box, held: mails[0]?.key ?? null };
  }
}

/** Applies a `listed` event. Emails of the first list count as read. */
function withListed(box: Box, event: BoxEvent & { type: 'listed' }): Box {
  const { mails: listed, next, search = '', isFilled = false } = event;
  if (box.mails === null || search !== box.search) return bounded({ ...box, unread: new Set(), search }, listed, next);
  const present = new Set(listed.map(({ key }) => key));
  const reaches = isFilled || listed.length === 0 || box.mails.some(({ key }) => present.has(key));
  const since = (next === null ? undefined : listed.at(-1)?.receivedAt) ?? Number.NEGATIVE_INFINITY;
  const kept = without(box, ({ key, receivedAt }) => !present.has(key) && (!reaches || receivedAt >= since));
  return { ...withNew(kept, listed), next: next === null || !reaches ? next : kept.next };
}

function withNew(box: Box, mails: readonly Mail[]): Box {
  const newest = box.mails?.[0]?.receivedAt ?? Number.NEGATIVE_INFINITY;
  const keys = mails.filter(({ receivedAt }) => receivedAt > newest).map(({ key }) => key);
  const unread = keys.length === 0 ? box.unread : new Set([...box.unread, ...keys]);
  return bounded({ ...box, unread }, merged(box.mails ?? [], mails), box.next);
}

function holding(box: Box): Box {
  return box.held === null ? { ...box, held: box.mails?.[0]?.key ?? null } : box;
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

function bounded(box: Box, mails: readonly Mail[], next: string | null): Box {
  return mails.length < box.max ? { ...box, mails, next } : { ...box, mails: mails.slice(0, box.max), next: null };
}

export function newestUnread({ mails, unread }: Box): string | null {
  return mails?.find(({ key }) => unread.has(key))?.key ?? null;
}
