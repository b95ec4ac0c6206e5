import type { RecentPage, RecentQuery, StoredEmail, WaitlistEntry } from '../store.js';
import {
  behindInbox,
  type EmailRow,
  emailRow,
  FIRST_INBOX,
  inboxKey,
  inboxOf,
  isSeen,
  LAST_DEADLINE,
  lastDeadlineAt,
  receivedAtOf,
  stateOf,
} from './rows.js';

/**
 * How mail lies in LMDB. Keys are ordered by their parts (see `rows.ts`); times are milliseconds since the epoch. A
 * table with a new meaning needs a new `FORMAT`. A commit copies and syncs each page it touches, so what one email
 * changes stands together: its row beside its inbox's state, and arrivals in order at a table's end.
 */
export interface Tables {
  /** `format`: the version of this layout. `room`: briefly there to test whether the disk has room. */
  readonly mayfly: Table<'format' | 'room', number | string>;
  /** The one row that every transaction changes. Its version shows whether another process has written meanwhile. */
  readonly tally: VersionedTable<'tally', Tally>;
  /** Inbox → its state, until its newest email would have expired; then inbox and `receivedAt` → each of its emails. */
  readonly emails: BinaryTable;
  /**
   * `expiresAt`, message number and recipient → the key of the email, the next to expire first. A deleted email that
   * was its inbox's newest remains here until its deadline, as the inbox's state does.
   */
  readonly deadlines: BinaryTable;
  /**
   * Message number → its summary; message number and position → a part of its bytes (see `transactions.ts`). Larger
   * parts have pages of their own, so a look at summaries reads none of them.
   */
  readonly messages: BinaryTable;
  /** Number of a message with several recipients → how many of its emails are not deleted (32 bits). */
  readonly shares: BinaryTable;
  /** Transaction number, modulo those remembered → the inboxes that got mail (see `news.ts`). */
  readonly news: BinaryTable;
  /** When emails were cleared, inbox and the first one's `receivedAt`, or 0 → the last one's: those to delete. */
  readonly clearings: Table<[clearedAt: number, inbox: string, from: number], number>;
  readonly waitlist: Table<number, WaitlistEntry>;
  /** SHA-256 of a waitlist address → the number of its entry. Hashed, as LMDB bounds the size of a key. */
  readonly waitlistAddresses: Table<string, number>;
}

/** The version of the layout above, of what `inbox/` keeps in a message, and of which inboxes may be shown to whom. */
export const FORMAT = 5;

/** The same layout. Some versions that write it would show private inboxes and held mail of a newer one to anyone. */
export const LAST_FORMAT = 4;

export interface Tally {
  readonly bytes: number;
  /** Messages ever stored, which numbers the next one: new rows stand together, and numbers are short. */
  readonly messages: number;
}

/** Only within `write` and `transaction`. */
interface Written<K, V> {
  put(key: K, value: V): unknown;
  remove(key: K): unknown;
}

/** What is used of an LMDB table: reads see the last commit, or the transaction that they run in. */
export interface Table<K, V> extends Written<K, V> {
  get(key: K): V | undefined;
  doesExist(key: K): boolean;
  getKeys(range: Range<K>): Iterable<K>;
  getRange(range: Range<K>): Iterable<{ key: K; value: V }>;
}

export interface BinaryTable extends Written<Buffer, Uint8Array> {
  /** The next read overwrites these bytes, so nothing is allocated for them. */
  getBinaryFast(key: Buffer): Buffer | undefined;
  getKeys(range: Range<Buffer>): Iterable<Buffer>;
  getRange(range: Range<Buffer>): Iterable<{ key: Buffer; value: Buffer }>;
  getStats(): { readonly entryCount?: number };
}

export interface VersionedTable<K, V> {
  getEntry(key: K): { readonly value: V; readonly version?: number } | undefined;
  put(key: K, value: V, version: number): unknown;
}

export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** What is used of LMDB itself. A write is on disk when its promise resolves (D14). */
export interface Environment {
  /**
   * One transaction of what `write` writes, on a thread of LMDB's binding while the event loop goes on. Does nothing
   * and resolves to false if the tally has another version by then. `write` must not throw.
   */
  writeIfUnchanged(version: number, write: () => void): Promise<boolean>;
  /** One transaction whose job may also read. Blocks the event loop. A job that throws must not have written. */
  transaction<T>(job: () => T): Promise<T>;
  tryRoom(): Promise<void>;
  /** Lets the next read see everything committed so far, by other processes too. */
  resetReadTxn(): void;
  close(): Promise<void>;
}

const WAITLIST_PAGE = 100;

/** As `Store.recent` promises it, from the last deadline on. */
export function recentPage(
  tables: Tables,
  { behind, upTo, limit }: RecentQuery,
  now: number,
): RecentPage<StoredEmail & EmailRow> {
  const first = upTo === undefined ? LAST_DEADLINE : lastDeadlineAt(upTo);
  const start = behind === undefined ? first : Buffer.from(behind, 'hex');
  const end = lastDeadlineAt(now);
  // One more than is looked at, and the end of the last page, which that page showed.
  const range = { start, end, reverse: true, limit: limit + 2 };
  const rows = [...tables.deadlines.getRange(range)].filter(({ key }) => !key.equals(start));
  const looked = rows.slice(0, limit);
  const gone = new Map<string, number>();
  const emails: (StoredEmail & EmailRow)[] = [];
  for (const { value: key } of looked) {
    const row = tables.emails.getBinaryFast(key);
    // The deadline of a deleted email may remain.
    if (row === undefined || !isSeen(row, now)) continue;
    const email = { inbox: inboxOf(key), receivedAt: receivedAtOf(key), ...emailRow(row) };
    if (email.receivedAt > goneUpTo(tables, email.inbox, gone)) emails.push(email);
  }
  const last = looked.at(-1)?.key ?? start;
  return { emails, next: rows.length > looked.length ? last.toString('hex') : null };
}

function goneUpTo(tables: Tables, inbox: string, known: Map<string, number>): number {
  const before = known.get(inbox);
  if (before !== undefined) return before;
  const bytes = tables.emails.getBinaryFast(inboxKey(inbox));
  const upTo = bytes === undefined ? -1 : stateOf(bytes).goneUpTo;
  known.set(inbox, upTo);
  return upTo;
}

export async function* inboxNames(tables: Tables, mustBeOpen: () => void): AsyncGenerator<string> {
  for (let start: Buffer = FIRST_INBOX; ; ) {
    mustBeOpen();
    const [key] = tables.emails.getKeys({ start, limit: 1 });
    if (key === undefined) return;
    start = behindInbox(key);
    yield inboxOf(key);
  }
}

export async function* waitlistEntries({ waitlist }: Tables, mustBeOpen: () => void): AsyncGenerator<WaitlistEntry> {
  for (let start = 1; ; start += WAITLIST_PAGE) {
    mustBeOpen();
    const page = [...waitlist.getRange({ start, limit: WAITLIST_PAGE })];
    yield* page.map(({ value }) => value);
    if (page.length < WAITLIST_PAGE) return;
  }
}
