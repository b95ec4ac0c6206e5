import type { ListQuery, Store, StoredEmail } from '../store/store.js';
import { type EmailFilter, indexTest } from './filter.js';
import type { Turns } from './turns.js';

/** Which emails of an inbox somebody wants (D9). */
export interface Selection extends EmailFilter {
  /** Only emails with a later `receivedAt`, in milliseconds since the epoch. */
  readonly after?: number;
}

/** How many rows of an inbox are listed in one turn. */
const LIST_SHARE = 128;

/** How many bytes a filter looks at in one turn, each email's row counted with them (see `ScanQuery`). */
const FILTER_SHARE_BYTES = 128 * 1024;

/** What selecting works on. */
export interface Shelf {
  readonly store: Store;
  readonly turns: Turns;
}

/** Which part of an inbox is looked at, as of when, and for whom. */
export interface Look extends Pick<ListQuery, 'before'> {
  readonly inbox: string;
  readonly selection: Selection;
  readonly now: number;
  /** Aborted when nobody wants the answer any more: the look ends then, wherever it is. */
  readonly signal: AbortSignal;
}

/**
 * The emails of an inbox that match a selection and are unexpired at `now`, newest first. Read in shares, with turns for others
 * between them. Mail that comes meanwhile is not among them.
 */
export async function* matching({ store, turns }: Shelf, look: Look): AsyncGenerator<StoredEmail> {
  const { inbox, selection, now, signal } = look;
  const test = indexTest(selection);
  if (test !== null) await turns.first();
  for (let before = look.before; !signal.aborted; ) {
    const range = { ...laterThan(selection.after), ...(before === undefined ? {} : { before }) };
    const share =
      test === null
        ? (await store.list(inbox, { ...range, limit: LIST_SHARE }, now)).map((email) => ({ email, index: null }))
        : await store.scan(inbox, { ...range, maxBytes: FILTER_SHARE_BYTES }, now);
    for (const { email, index } of share) if (index === null || test?.(index)) yield email;
    before = share.at(-1)?.email.receivedAt;
    // An inbox of less than a share needs no second look to be over.
    if (before === undefined || (test === null && share.length < LIST_SHARE)) return;
    await turns.next();
  }
}

/** The emails of a look, all of them; those found so far when its signal is aborted. */
export async function select(shelf: Shelf, look: Look): Promise<StoredEmail[]> {
  const selected: StoredEmail[] = [];
  for await (const email of matching(shelf, look)) selected.push(email);
  return selected;
}

/** The email of an inbox with exactly this `receivedAt`, or null when it has none that is unexpired at `now`. */
export async function emailAt(
  store: Store,
  inbox: string,
  receivedAt: number,
  now: number,
): Promise<StoredEmail | null> {
  const [email] = await store.list(inbox, { after: receivedAt - 1, before: receivedAt + 1, limit: 1 }, now);
  return email ?? null;
}

/** The part of a selection that the store itself answers. */
export function laterThan(after: number | undefined): { after?: number } {
  return after === undefined ? {} : { after };
}
