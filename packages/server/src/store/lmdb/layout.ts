import type { StoredEmail, WaitlistEntry } from '../store.js';

/** The members of an `lmdb` database that we use. Reads see the transaction that they run in. */
export interface Table<V, K> {
  getEntry(key: K): { readonly value: V; readonly version?: number } | undefined;
  /** The next read may overwrite these bytes. Their memory continues past `length`, so always slice with an end. */
  getBinaryFast(key: K): Buffer | undefined;
  getKeys(range: Range<K>): Iterable<K>;
  getRange(range: Range<K>): Iterable<{ readonly key: K; readonly value: V }>;
  getStats(): { readonly entryCount?: number };
  putSync(key: K, value: V, version?: number): void;
  removeSync(key: K): unknown;
}

/** The range excludes `end`. With `reverse`, it begins at the last row that is not after `start` and goes backwards. */
export interface Range<K> {
  readonly start?: K;
  readonly end?: K;
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** LMDB orders keys byte by byte, so numbers are big-endian. A changed layout needs a new `FORMAT`. */
export interface Tables {
  /** A single row, updated by every change. Its version counts the changes. */
  readonly tally: Table<Tally, 'tally'>;
  /** Inbox → its state, until its newest email would have expired. Inbox and `receivedAt` → one of its emails. */
  readonly emails: Table<Buffer, Buffer>;
  /**
   * `expiresAt`, message number and recipient → the key of the email, so the next to expire is first. The row of an
   * inbox's newest email remains even if the email is deleted, because the inbox's state is deleted at its deadline.
   */
  readonly deadlines: Table<Buffer, Buffer>;
  /** Message number → its summary; message number and position → a part of its bytes, not needed to list emails. */
  readonly messages: Table<Uint8Array, Buffer>;
  /** Number of a message with several recipients → how many of its emails are not deleted (32 bits). */
  readonly shares: Table<Buffer, Buffer>;
  /** Number of a change, modulo `REMEMBERED` → the inboxes that got mail (see `writer.ts`). Null for a single process. */
  readonly news: Table<Buffer, Buffer> | null;
  /** Emails to delete: time of clearing, inbox and the first `receivedAt` (or 0) → the last `receivedAt`. */
  readonly clearings: Table<number, [clearedAt: number, inbox: string, from: number]>;
  readonly waitlist: Table<WaitlistEntry, number>;
  /** SHA-256 of a waitlist address → the number of its entry. Hashed, because LMDB bounds the size of a key. */
  readonly waitlistAddresses: Table<number, string>;
}

/** The version of the layout, of the messages that `inbox/` stores, and of the rules about who may see an inbox. */
export const FORMAT = 5;

/** The same layout. Replaced because some versions that open this format would show private and held mail to anyone. */
export const LAST_FORMAT = 4;

export interface Tally {
  readonly bytes: number;
  /** Number of messages ever stored: the next message's number. Consecutive numbers keep new rows close together. */
  readonly messages: number;
}

const NUMBER_BYTES = 6;
const MAX_NUMBER = 2 ** 48 - 1;
const SMALL_BYTES = 4;

const DEADLINE = [NUMBER_BYTES, NUMBER_BYTES, SMALL_BYTES];
const PART = [NUMBER_BYTES, SMALL_BYTES];
const EMAIL = [NUMBER_BYTES, NUMBER_BYTES, NUMBER_BYTES, SMALL_BYTES, SMALL_BYTES, SMALL_BYTES, 1];
const STATE = [NUMBER_BYTES, NUMBER_BYTES, NUMBER_BYTES, SMALL_BYTES, SMALL_BYTES, 1];

/** Writes numbers of these widths in bytes, and then a text. */
function packed(widths: readonly number[], numbers: readonly number[], text = ''): Buffer {
  let end = 0;
  for (const width of widths) end += width;
  const packed = Buffer.allocUnsafe(end + Buffer.byteLength(text));
  if (text !== '') packed.write(text, end);
  let at = 0;
  for (let n = 0; n < widths.length; n += 1) at = packed.writeUIntBE(numbers[n] as number, at, widths[n] as number);
  return packed;
}

/** Reads the numbers that `packed` wrote, in their order. */
function numbersIn(row: Buffer): (bytes: number) => number {
  let at = 0;
  return (bytes) => {
    at += bytes;
    return row.readUIntBE(at - bytes, bytes);
  };
}

/** The byte that ends an inbox's name in a key. No name contains it, so the keys of `a` and `ab` do not mix. */
const END_OF_NAME = 0;

/** Maximum length of an inbox's name in bytes. LMDB accepts keys of at most 1,978 bytes in pages of 4 KiB. */
const MAX_NAME_BYTES = 1_900;

const NO_NUMBER = '\0'.repeat(NUMBER_BYTES);

/** The key of an inbox's state. The keys of the inbox's emails begin with it. Throws if the name is too long. */
export function inboxKey(inbox: string, behind = ''): Buffer {
  const key = Buffer.from(`${inbox}\0${behind}`);
  const nameBytes = key.length - behind.length - 1;
  if (nameBytes > MAX_NAME_BYTES) throw new RangeError(`An inbox name has too many bytes for the store: ${nameBytes}.`);
  return key;
}

/** A negative `receivedAt` gives the key of the inbox's state, which precedes the keys of its emails. */
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

/** `recipient` is the recipient's position in the message, from 0. */
export function deadlineKey(expiresAt: number, message: number, recipient: number): Buffer {
  return packed(DEADLINE, [expiresAt, message, recipient]);
}

export function lastDeadlineAt(expiresAt: number): Buffer {
  return deadlineKey(Math.min(Math.max(expiresAt, 0), MAX_NUMBER), MAX_NUMBER, 2 ** (8 * SMALL_BYTES) - 1);
}

export function expiresAtOf(deadlineKey: Buffer): number {
  return deadlineKey.readUIntBE(0, NUMBER_BYTES);
}

export function messageKey(message: number): Buffer {
  return packed([NUMBER_BYTES], [message]);
}

export function partKey(message: number, position: number): Buffer {
  return packed(PART, [message, position]);
}

export interface LmdbEmail extends StoredEmail {
  readonly key: Buffer;
  readonly contentBytes: number;
  readonly message: number;
  readonly recipient: number;
  readonly isShared: boolean;
  /** Cleared individually, so neither listed nor counted. */
  readonly isCleared: boolean;
}

const IS_SHARED = 1;
const IS_CLEARED = 2;

/** Bytes of an email's row before its address. The last of them contains the flags. */
const EMAIL_BYTES = 3 * NUMBER_BYTES + 3 * SMALL_BYTES + 1;

type Numbers = 'expiresAt' | 'message' | 'contentBytes' | 'indexBytes' | 'summaryBytes' | 'recipient';
type Rest = Pick<LmdbEmail, 'to' | 'isShared' | 'isCleared'>;

export function emailRow(numbers: Pick<LmdbEmail, Numbers>, { to, isShared, isCleared }: Rest): Buffer {
  const { expiresAt, message, contentBytes, indexBytes, summaryBytes, recipient } = numbers;
  const flags = (isShared ? IS_SHARED : 0) | (isCleared ? IS_CLEARED : 0);
  return packed(EMAIL, [expiresAt, message, contentBytes, indexBytes, summaryBytes, recipient, flags], to);
}

function emailOf(key: Buffer, row: Buffer, inbox = inboxOf(key)): LmdbEmail {
  const next = numbersIn(row);
  return {
    key,
    inbox,
    receivedAt: key.readUIntBE(key.length - NUMBER_BYTES, NUMBER_BYTES),
    expiresAt: next(NUMBER_BYTES),
    message: next(NUMBER_BYTES),
    contentBytes: next(NUMBER_BYTES),
    indexBytes: next(SMALL_BYTES),
    summaryBytes: next(SMALL_BYTES),
    recipient: next(SMALL_BYTES),
    isShared: (row.readUInt8(EMAIL_BYTES - 1) & IS_SHARED) !== 0,
    isCleared: (row.readUInt8(EMAIL_BYTES - 1) & IS_CLEARED) !== 0,
    to: row.toString('utf8', EMAIL_BYTES, row.length),
  };
}

/** The email with this key, unless it is deleted. */
export function emailAt({ emails }: Tables, key: Buffer): LmdbEmail | undefined {
  const row = emails.getBinaryFast(key);
  return row && emailOf(key, row);
}

/** Whether an email still exists. A later one may have the key of a deleted one, so this compares message numbers. */
export function isThere({ emails }: Tables, { key, message }: LmdbEmail): boolean {
  const row = emails.getBinaryFast(key);
  // The number of the message follows the deadline.
  return row?.readUIntBE(NUMBER_BYTES, NUMBER_BYTES) === message;
}

/** Emails of an inbox that are not deleted, from `start` up to `end`; with `reverse`, from `start` back to `end`. */
export function* emailsIn({ emails }: Tables, inbox: string, range: Range<Buffer>): Generator<LmdbEmail> {
  for (const { key, value } of emails.getRange(range)) yield emailOf(key, value, inbox);
}

/** The state of an inbox that has emails, or had some that were cleared. */
export interface InboxState {
  readonly newest: number;
  /** The deadline of the newest email. The state lasts that long, so that `receivedAt` stays monotonic (D6). */
  readonly expiresAt: number;
  /** Emails up to this `receivedAt` were cleared: lists omit them, and limits do not count them. */
  readonly goneUpTo: number;
  /** Emails after `goneUpTo` that were not cleared one by one; some may have expired. */
  readonly count: number;
  /** Emails that are not deleted, listed or not. */
  readonly kept: number;
  /** Whether a later email may expire before an earlier one, as after the retention was shortened. */
  readonly isMixed: boolean;
}

export function stateRow({ newest, expiresAt, goneUpTo, count, kept, isMixed }: InboxState): Buffer {
  // `goneUpTo` is -1 until something is cleared.
  return packed(STATE, [newest, expiresAt, goneUpTo + 1, count, kept, isMixed ? 1 : 0]);
}

export function stateOf({ emails }: Tables, inbox: string): InboxState | undefined {
  const row = emails.getBinaryFast(inboxKey(inbox));
  if (row === undefined) return undefined;
  const next = numbersIn(row);
  return {
    newest: next(NUMBER_BYTES),
    expiresAt: next(NUMBER_BYTES),
    goneUpTo: next(NUMBER_BYTES) - 1,
    count: next(SMALL_BYTES),
    kept: next(SMALL_BYTES),
    isMixed: next(1) === 1,
  };
}
