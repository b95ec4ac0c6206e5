import type { WaitlistEntry } from '../store.js';

/**
 * How mail lies in LMDB. Keys are in the order of their parts (see `keys.ts` and `rows.ts`). Times are in milliseconds since the
 * epoch. Whoever changes the meaning of a table changes `FORMAT` too.
 *
 * Each page that a commit touches is copied and synced. So what one email changes stands together: its row beside its inbox's
 * state, and all that is in the order of arrival at the end of a table, where many emails share a page.
 */
export interface Tables {
  /** `format`: the version of this layout. `room`: there for a moment, where it is tried whether the disk has room. */
  readonly mayfly: Table<'format' | 'room', number | string>;
  /** The one row that every transaction changes. Its version says whether another process has written meanwhile. */
  readonly tally: VersionedTable<'tally', Tally>;
  /** Inbox → its state, until its newest email would have expired; then inbox and `receivedAt` → each of its emails. */
  readonly emails: BinaryTable;
  /**
   * `expiresAt`, number of the message and of its recipient → the key of the email: every one, that which expires next first. That
   * of an email that was the newest of its inbox when it was deleted stays until then, since the inbox's state does.
   */
  readonly deadlines: BinaryTable;
  /**
   * Number of a message → its summary; number of a message and position of a part → a part of its bytes (see `message-bytes.ts`). A
   * part of some size has pages of its own, so a look at summaries reads none of them.
   */
  readonly messages: BinaryTable;
  /** Number of a message that came to several recipients → how many of its emails are not deleted yet (32 bits). */
  readonly shares: BinaryTable;
  /** Number of a transaction, modulo how many are remembered → which inboxes it brought mail to (see `news.ts`). */
  readonly news: BinaryTable;
  /** When emails were cleared, their inbox and the first's `receivedAt`, or 0 → that of the last: those between are to be deleted. */
  readonly clearings: Table<[clearedAt: number, inbox: string, from: number], number>;
  readonly waitlist: Table<number, WaitlistEntry>;
  /** SHA-256 of an address on the waitlist → the number of its entry. Hashed, as LMDB bounds the size of a key. */
  readonly waitlistAddresses: Table<string, number>;
}

/** The version of the layout above, and of what `inbox/` keeps in a message. */
export const FORMAT = 4;

export interface Tally {
  readonly bytes: number;
  /** How many messages were ever stored: the number of the next one. So new rows stand together, and numbers are short. */
  readonly messages: number;
}

/** What is written to a table: within `write` and `transaction`, not elsewhere. */
interface Written<K, V> {
  put(key: K, value: V): unknown;
  remove(key: K): unknown;
}

/** What is used of an LMDB table: reads are of the last commit, or of the running transaction within one. */
export interface Table<K, V> extends Written<K, V> {
  get(key: K): V | undefined;
  doesExist(key: K): boolean;
  getKeys(range: Range<K>): Iterable<K>;
  getRange(range: Range<K>): Iterable<{ key: K; value: V }>;
}

export interface BinaryTable extends Written<Buffer, Uint8Array> {
  /** A row. The bytes are overwritten by whatever is read next, so nothing is allocated for them. */
  getBinaryFast(key: Buffer): Buffer | undefined;
  getKeys(range: Range<Buffer>): Iterable<Buffer>;
  getRange(range: Range<Buffer>): Iterable<{ key: Buffer; value: Buffer }>;
  /** How many rows there are, which LMDB keeps count of. The binding does not say of what form that is. */
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

/** What is used of LMDB itself. Whatever is written is on disk when the promise resolves (D14). */
export interface Environment {
  /**
   * One transaction of what `write` writes, which a thread of LMDB's binding does while the event loop goes on. Nothing of it is
   * done, and false is the answer, when the tally has another version by then. `write` must not throw.
   */
  writeIfUnchanged(version: number, write: () => void): Promise<boolean>;
  /** One transaction with a job that may read in it too. It holds up the event loop. A job that throws must not have written. */
  transaction<T>(job: () => T): Promise<T>;
  tryRoom(): Promise<void>;
  /** Makes the next read see what was committed up to now, by other processes too. */
  resetReadTxn(): void;
  close(): Promise<void>;
}
