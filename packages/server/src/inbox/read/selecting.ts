import type { Clock } from '../../base/clock.js';
import type { Turns } from '../../limits/event-loop.js';
import type { ListQuery, Store, StoredEmail } from '../../store/store.js';
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
 * turns for others. An aborted signal ends it with what was found. Mail that comes meanwhile is not included.
 */
export async function select({ store, turns }: Shelf, look: Look): Promise<StoredEmail[]> {
  const { inbox, selection, now, signal, limit: most = Number.POSITIVE_INFINITY } = look;
  const test = indexTest(selection);
  const found: StoredEmail[] = [];
  // Lists are cheap; a filter may have much to read.
  if (test !== null) await turns.first();
  for (let { before } = look; !signal.aborted; await turns.next()) {
    const range = { ...laterThan(selection.after), ...(before === undefined ? {} : { before }) };
    if (test === null) {
      const limit = Math.min(LIST_SHARE, most - found.length);
      const emails = await store.list(inbox, { ...range, limit }, now);
      found.push(...emails);
      // A small inbox is over without a second look.
      before = emails.length < limit ? undefined : emails.at(-1)?.receivedAt;
    } else {
      const page = await store.scan(inbox, { ...range, maxBytes: FILTER_SHARE_BYTES }, now);
      const matching = page.filter(({ index }) => test(index)).slice(0, most - found.length);
      found.push(...matching.map(({ email }) => email));
      before = page.at(-1)?.email.receivedAt;
    }
    if (before === undefined || found.length >= most) break;
  }
  return found;
}

export async function emailAt(
  store: Store,
  inbox: string,
  receivedAt: number,
  now: number,
): Promise<StoredEmail | null> {
  const [email] = await store.list(inbox, { ...onlyAt(receivedAt), limit: 1 }, now);
  return email ?? null;
}

/** What filters read of it; undefined if it is deleted. */
export async function indexAt(
  store: Store,
  { inbox, receivedAt }: StoredEmail,
  now: number,
): Promise<Uint8Array | undefined> {
  const [found] = await store.scan(inbox, { ...onlyAt(receivedAt), maxBytes: 1 }, now);
  return found?.index;
}

function onlyAt(receivedAt: number): { readonly after: number; readonly before: number } {
  return { after: receivedAt - 1, before: receivedAt + 1 };
}

export function laterThan(after: number | undefined): { after?: number } {
  return after === undefined ? {} : { after };
}
