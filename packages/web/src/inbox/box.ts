import type { Mail } from './mail.js';

/** Maximum number of emails that the page keeps (the newest ones). They take about 10 MB of memory. */
export const MAX_MAILS = 10_000;

/** The part of an inbox that the page has loaded. */
export interface Box {
  /** Newest first; null before the first list. */
  readonly mails: readonly Mail[] | null;
  /** Whether `mails` includes the oldest email, or has its maximum length. */
  readonly isWhole: boolean;
  /** The keys of emails that arrived while the page was open and have not been on screen yet. */
  readonly unread: ReadonlySet<string>;
  /** The key of the email that a wide page shows until the user chooses one. New mail does not replace it. */
  readonly held: string | null;
}

export type BoxEvent =
  /** The newest emails. Known emails that are recent enough for this list, but missing from it, are gone. */
  | { readonly type: 'listed'; readonly mails: readonly Mail[]; readonly isWhole: boolean }
  | { readonly type: 'came'; readonly mails: readonly Mail[] }
  | { readonly type: 'older'; readonly mails: readonly Mail[]; readonly isWhole: boolean }
  /** All emails received up to this moment are gone. */
  | { readonly type: 'expired'; readonly upTo: number }
  /** After `removed` (on this page), `held` moves to the newest email. After `deleted` (elsewhere), it stays. */
  | { readonly type: 'deleted' | 'removed'; readonly keys: readonly string[] }
  | { readonly type: 'seen'; readonly key: string }
  | { readonly type: 'let go' };

export const EMPTY_BOX: Box = { mails: null, isWhole: false, unread: new Set(), held: null };

export function boxAfter(box: Box, event: BoxEvent): Box {
  const mails = box.mails ?? [];
  switch (event.type) {
    case 'listed':
      return holding(withListed(box, event.mails, event.isWhole));
    case 'came':
      return holding(withNew(box, event.mails));
    case 'older':
      return { ...box, ...bounded(merged(mails, event.mails), event.isWhole) };
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
      return { ...box, unread: filtered(box.unread, (key) => key !== event.key) };
    case 'let go':
      return { ...box, held: mails[0]?.key ?? null };
  }
}

/** Applies a `listed` event. Emails of the first list count as read. */
function withListed(box: Box, listed: readonly Mail[], isWhole: boolean): Box {
  if (box.mails === null) return { ...box, ...bounded(listed, isWhole) };
  const present = new Set(listed.map(({ key }) => key));
  const since = (isWhole ? undefined : listed.at(-1)?.receivedAt) ?? Number.NEGATIVE_INFINITY;
  const kept = without(box, ({ key, receivedAt }) => receivedAt >= since && !present.has(key));
  return { ...withNew(kept, listed), isWhole: isWhole || kept.isWhole };
}

function withNew(box: Box, mails: readonly Mail[]): Box {
  const newest = box.mails?.[0]?.receivedAt ?? Number.NEGATIVE_INFINITY;
  const keys = mails.filter(({ receivedAt }) => receivedAt > newest).map(({ key }) => key);
  return {
    ...box,
    ...bounded(merged(box.mails ?? [], mails), box.isWhole),
    unread: keys.length === 0 ? box.unread : new Set([...box.unread, ...keys]),
  };
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

/** A list with other emails added, newest first, without duplicates. */
export function merged<T extends Pick<Mail, 'key' | 'receivedAt'>>(all: readonly T[], added: readonly T[]) {
  const known = new Set(all.map(({ key }) => key));
  const fresh = added.filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return all;
  return [...fresh, ...all].sort((a, b) => b.receivedAt - a.receivedAt);
}

function bounded(mails: readonly Mail[], isWhole: boolean): Pick<Box, 'mails' | 'isWhole'> {
  const isFull = mails.length >= MAX_MAILS;
  return { mails: isFull ? mails.slice(0, MAX_MAILS) : mails, isWhole: isWhole || isFull };
}

export function newestUnread({ mails, unread }: Box): string | null {
  return mails?.find(({ key }) => unread.has(key))?.key ?? null;
}
