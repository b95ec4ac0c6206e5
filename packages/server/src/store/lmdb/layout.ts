import type { StoredEmail, WaitlistEntry } from '../store.js';

/** What is used of a table of LMDB, as its binding documents it. Reads see the transaction that they run in. */
export interface Table<V, K> {
  getEntry(key: K): { readonly value: V; readonly version?: number } | undefined;
  /** The next read may overwrite these bytes. Their memory goes on behind `length`: name an end to cut them. */
  getBinaryFast(key: K): Buffer | undefined;
  getKeys(range: Range<K>): Iterable<K>;
  getRange(range: Range<K>): Iterable<{ readonly key: K; readonly value: V }>;
  getStats(): { readonly entryCount?: number };
  putSync(key: K, value: V, version?: number): void;
  removeSync(key: K): unknown;
}

/** Ends before `end`. With `reverse` it starts at the last row up to `start` and goes back. */
export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/**
 * How mail lies in LMDB: tables, keys and rows. LMDB orders keys byte by byte, so numbers are big-endian; 48 bits last
 * until the year 10889. A table with a new meaning needs a new `FORMAT`.
 */
export interface Tables {
  /** The one row that every change updates. Its version counts the changes. */
  readonly tally: Table<Tally, 'tally'>;
  /** Inbox → its state, until its newest email would have expired; then inbox and `receivedAt` → each of its emails. */
  readonly emails: Table<Buffer, Buffer>;
  /**
   * `expiresAt`, message number and recipient → the key of the email, the next to expire first. A deleted email that
   * was its inbox's newest remains here until its deadline, as the inbox's state does.
   */
  readonly deadlines: Table<Buffer, Buffer>;
  /** Message number → its summary; message number and position → a part of its bytes, which a list does not read. */
  readonly messages: Table<Uint8Array, Buffer>;
  /** Number of a message with several recipients → how many of its emails are not deleted (32 bits). */
  readonly shares: Table<Buffer, Buffer>;
  /** Number of a change, modulo those remembered → the inboxes that got mail (see `news.ts`). */
  readonly news: Table<Buffer, Buffer>;
  /** When emails were cleared, inbox and the first one's `receivedAt`, or 0 → the last one's: those to delete. */
  readonly clearings: Table<number, [clearedAt: number, inbox: string, from: number]>;
  readonly waitlist: Table<WaitlistEntry, number>;
  /** SHA-256 of a waitlist address → the number of its entry. Hashed, as LMDB bounds the size of a key. */
  readonly waitlistAddresses: Table<number, string>;
}

/** The version of the layout, of what `inbox/` keeps in a message, and of which inboxes may be shown to whom. */
export const FORMAT = 5;

/** The same layout. Some versions that write it would show private inboxes and held mail of a newer one to anyone. */
export const LAST_FORMAT = 4;

export interface Tally {
  readonly bytes: number;
  /** Messages ever stored, which numbers the next one: new rows stand together, and numbers are short. */
  readonly messages: number;
}

const NUMBER_BYTES = 6;
const MAX_NUMBER = 2 ** 48 - 1;
const SMALL_BYTES = 4;

function packed(...numbers: readonly (readonly [value: number, bytes: number])[]): Buffer {
  const packed = Buffer.allocUnsafe(numbers.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of numbers) at = packed.writeUIntBE(value, at, bytes);
  return packed;
}

/** Ends an inbox's name in a key. No name contains it, so keys of names that begin alike do not mix. */
const END_OF_NAME = 0;

/** In bytes. LMDB takes keys of at most 1,978 bytes in pages of 4 KiB. */
const MAX_NAME_BYTES = 1_900;

const NO_NUMBER = '\0'.repeat(NUMBER_BYTES);

/** The key of an inbox's state; those of its emails begin with it. Throws if the name is too long. */
export function inboxKey(inbox: string, behind = ''): Buffer {
  const key = Buffer.from(`${inbox}\0${behind}`);
  const nameBytes = key.length - behind.length - 1;
  if (nameBytes > MAX_NAME_BYTES) throw new RangeError(`The name of an inbox has ${nameBytes} bytes.`);
  return key;
}

/** A time before 1970 gives the inbox's own key, which precedes those of all its emails. */
export function emailKey(inbox: string, receivedAt: number): Buffer {
  if (receivedAt < 0) return inboxKey(inbox);
  const key = inboxKey(inbox, NO_NUMBER);
  key.writeUIntBE(Math.min(receivedAt, MAX_NUMBER), key.length - NUMBER_BYTES, NUMBER_BYTES);
  return key;
}

export function inboxOf(key: Buffer): string {
  return key.toString('utf8', 0, key.indexOf(END_OF_NAME));
}

export function endOfInbox(key: Buffer): Buffer {
  return Buffer.concat([key.subarray(0, key.indexOf(END_OF_NAME)), Buffer.of(END_OF_NAME + 1)]);
}

/** Recipients count from 0. */
export function deadlineKey(expiresAt: number, message: number, recipient: number): Buffer {
  return packed([expiresAt, NUMBER_BYTES], [message, NUMBER_BYTES], [recipient, SMALL_BYTES]);
}

export function lastDeadlineAt(expiresAt: number): Buffer {
  return deadlineKey(Math.min(Math.max(expiresAt, 0), MAX_NUMBER), MAX_NUMBER, 2 ** (8 * SMALL_BYTES) - 1);
}

export function expiresAtOf(deadlineKey: Buffer): number {
  return deadlineKey.readUIntBE(0, NUMBER_BYTES);
}

export function messageKey(message: number): Buffer {
  return packed([message, NUMBER_BYTES]);
}

export function partKey(message: number, position: number): Buffer {
  return packed([message, NUMBER_BYTES], [position, SMALL_BYTES]);
}

export interface LmdbEmail extends StoredEmail {
  readonly key: Buffer;
  readonly contentBytes: number;
  readonly message: number;
  readonly recipient: number;
  readonly isShared: boolean;
  /** Cleared on its own: not listed, not counted. */
  readonly isCleared: boolean;
}

const IS_SHARED = 1;
const IS_CLEARED = 2;

export function emailRow(email: Omit<LmdbEmail, 'key'>): Buffer {
  const numbers = packed(
    [email.expiresAt, NUMBER_BYTES],
    [email.message, NUMBER_BYTES],
    [email.contentBytes, NUMBER_BYTES],
    [email.indexBytes, SMALL_BYTES],
    [email.summaryBytes, SMALL_BYTES],
    [email.recipient, SMALL_BYTES],
    [(email.isShared ? IS_SHARED : 0) | (email.isCleared ? IS_CLEARED : 0), 1],
  );
  return Buffer.concat([numbers, Buffer.from(email.to)]);
}

function emailOf(key: Buffer, row: Buffer, inbox = inboxOf(key)): LmdbEmail {
  return {
    key,
    inbox,
    receivedAt: key.readUIntBE(key.length - NUMBER_BYTES, NUMBER_BYTES),
    expiresAt: row.readUIntBE(0, NUMBER_BYTES),
    message: messageIn(row),
    contentBytes: row.readUIntBE(12, NUMBER_BYTES),
    indexBytes: row.readUInt32BE(18),
    summaryBytes: row.readUInt32BE(22),
    recipient: row.readUInt32BE(26),
    isShared: (row.readUInt8(30) & IS_SHARED) !== 0,
    isCleared: (row.readUInt8(30) & IS_CLEARED) !== 0,
    to: row.toString('utf8', 31, row.length),
  };
}

function messageIn(row: Buffer): number {
  return row.readUIntBE(6, NUMBER_BYTES);
}

/** The email with this key, unless it is deleted. */
export function emailAt({ emails }: Tables, key: Buffer): LmdbEmail | undefined {
  const row = emails.getBinaryFast(key);
  return row && emailOf(key, row);
}

/** Whether an email is not deleted. A later one may have its key. */
export function isThere({ emails }: Tables, { key, message }: LmdbEmail): boolean {
  const row = emails.getBinaryFast(key);
  return row !== undefined && messageIn(row) === message;
}

/** Emails of an inbox that are not deleted, from `start` up to `end`, or back to it. */
export function* emailsIn({ emails }: Tables, inbox: string, range: Range<Buffer>): Generator<LmdbEmail> {
  for (const { key, value } of emails.getRange(range)) yield emailOf(key, value, inbox);
}

/** What the store knows of an inbox that has emails, or had some that were cleared. */
export interface InboxState {
  readonly newest: number;
  /** Of the newest email. The state lasts that long, so that later mail gets a later `receivedAt` (D6). */
  readonly expiresAt: number;
  /** Its emails up to this `receivedAt` were cleared: no list shows them and no cap counts them. */
  readonly goneUpTo: number;
  /** Emails behind `goneUpTo` that were not cleared one by one; some may have expired. */
  readonly count: number;
  /** Emails that are not deleted, listed or not. */
  readonly kept: number;
  /** A shortened retention lets a later email expire before an earlier one. */
  readonly isMixed: boolean;
}

export function stateRow({ newest, expiresAt, goneUpTo, count, kept, isMixed }: InboxState): Buffer {
  return packed(
    [newest, NUMBER_BYTES],
    [expiresAt, NUMBER_BYTES],
    // -1 while nothing has gone.
    [goneUpTo + 1, NUMBER_BYTES],
    [count, SMALL_BYTES],
    [kept, SMALL_BYTES],
    [isMixed ? 1 : 0, 1],
  );
}

export function stateOf({ emails }: Tables, inbox: string): InboxState | undefined {
  const row = emails.getBinaryFast(inboxKey(inbox));
  return (
    row && {
      newest: row.readUIntBE(0, NUMBER_BYTES),
      expiresAt: row.readUIntBE(6, NUMBER_BYTES),
      goneUpTo: row.readUIntBE(12, NUMBER_BYTES) - 1,
      count: row.readUInt32BE(18),
      kept: row.readUInt32BE(22),
      isMixed: row.readUInt8(26) === 1,
    }
  );
}
