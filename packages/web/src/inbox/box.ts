import type { Mail } from './mail.js';

/** So many emails are kept for the list, the newest: some 10 MB of memory. */
export const MAX_MAILS = 10_000;

/** What the page knows of an inbox. Nothing in it depends on what is on screen except `held` and `unread`. */
export interface Box {
  /** Newest first; null until the first list has come. */
  readonly mails: readonly Mail[] | null;
  /** Whether all older emails are in the list, or as many as are kept. */
  readonly isWhole: boolean;
  /** The keys of those that came while the page was open and were not looked at. */
  readonly unread: ReadonlySet<string>;
  /**
   * What is shown where there is room and nobody has chosen: the newest email of the moment when there was none to
   * show.
   */
  readonly held: string | null;
}

export type BoxEvent =
  /** The newest emails, as they are now: those of the same time that are not among them are gone. */
  | { readonly type: 'listed'; readonly mails: readonly Mail[]; readonly isWhole: boolean }
  /** Emails that are newer than all before. */
  | { readonly type: 'came'; readonly mails: readonly Mail[] }
  /** Emails that are older than all before. */
  | { readonly type: 'older'; readonly mails: readonly Mail[]; readonly isWhole: boolean }
  /** All that were received at this moment or before are gone. */
  | { readonly type: 'expired'; readonly upTo: number }
  | { readonly type: 'deleted'; readonly keys: readonly string[] }
  /** The user deleted these, and so does not read them any more. */
  | { readonly type: 'removed'; readonly keys: readonly string[] }
  /** All that were received at this moment or before were deleted. */
  | { readonly type: 'emptied'; readonly upTo: number }
  /** The user looks at an email. */
  | { readonly type: 'seen'; readonly key: string }
  /** The user drops the choice. */
  | { readonly type: 'let go' };

export const EMPTY_BOX: Box = { mails: null, isWhole: false, unread: new Set(), held: null };

/** What an event makes of what the page knows. */
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
    case 'emptied':
      return without(box, ({ receivedAt }) => receivedAt <= event.upTo);
    case 'deleted':
      return withoutKeys(box, event.keys);
    case 'removed': {
      const left = withoutKeys(box, event.keys);
      const isHeld = box.held !== null && event.keys.includes(box.held);
      return isHeld ? { ...left, held: left.mails?.[0]?.key ?? null } : left;
    }
    case 'seen':
      return box.unread.has(event.key) ? { ...box, unread: filtered(box.unread, (key) => key !== event.key) } : box;
    case 'let go':
      return { ...box, held: mails[0]?.key ?? null };
  }
}

/**
 * The first list holds nothing that is new to whoever opens the page; what a later one has beyond what was known has
 * come since.
 */
function withListed(box: Box, listed: readonly Mail[], isWhole: boolean): Box {
  if (box.mails === null) return { ...box, ...bounded(listed, isWhole) };
  const present = new Set(listed.map(({ key }) => key));
  const since = isWhole ? Number.NEGATIVE_INFINITY : (listed.at(-1)?.receivedAt ?? Number.NEGATIVE_INFINITY);
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

/** What is on screen stays, so this is settled once, when there is a first email. */
function holding(box: Box): Box {
  return box.held === null ? { ...box, held: box.mails?.[0]?.key ?? null } : box;
}

function withoutKeys(box: Box, keys: readonly string[]): Box {
  const gone = new Set(keys);
  return without(box, ({ key }) => gone.has(key));
}

function without(box: Box, isGone: (mail: Mail) => boolean): Box {
  const gone = new Set(box.mails?.filter(isGone).map(({ key }) => key));
  if (gone.size === 0) return box;
  return {
    ...box,
    mails: box.mails?.filter(({ key }) => !gone.has(key)) ?? null,
    unread: filtered(box.unread, (key) => !gone.has(key)),
  };
}

function filtered(keys: ReadonlySet<string>, isWanted: (key: string) => boolean): ReadonlySet<string> {
  return new Set([...keys].filter(isWanted));
}

/** A list with others added, newest first, each once. */
export function merged<T extends Pick<Mail, 'key' | 'receivedAt'>>(
  all: readonly T[],
  added: readonly T[],
): readonly T[] {
  const known = new Set(all.map(({ key }) => key));
  const fresh = added.filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return all;
  return [...fresh, ...all].sort((a, b) => b.receivedAt - a.receivedAt);
}

function bounded(mails: readonly Mail[], isWhole: boolean): Pick<Box, 'mails' | 'isWhole'> {
  const isFull = mails.length >= MAX_MAILS;
  return { mails: isFull ? mails.slice(0, MAX_MAILS) : mails, isWhole: isWhole || isFull };
}

/** The key of the newest email that was not looked at, or null. */
export function newestUnread({ mails, unread }: Box): string | null {
  return mails?.find(({ key }) => unread.has(key))?.key ?? null;
}
