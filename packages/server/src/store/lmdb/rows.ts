import type { InboxState } from '../admission.js';

/**
 * Keys and rows in LMDB as bytes: they are read and written for every email. LMDB orders keys byte by byte, so numbers
 * are big-endian; 48 bits last until the year 10889.
 */

const NUMBER_BYTES = 6;
const MAX_NUMBER = 2 ** 48 - 1;
const ORDINAL_BYTES = 4;

/** Ends an inbox's name in a key. No name contains it, so keys of names that begin alike do not mix. */
const END_OF_NAME = 0;

/** In bytes. LMDB takes keys of at most 1,978 bytes in pages of 4 KiB. */
const MAX_NAME_BYTES = 1_900;

/** The key of an inbox's state; those of its emails begin with it. Throws if the name is too long. */
export function inboxKey(inbox: string): Buffer {
  return keyWithName(inbox, 0);
}

/** The key of an email. A time before 1970 gives the inbox's own key, which precedes those of all its emails. */
export function emailKey(inbox: string, receivedAt: number): Buffer {
  if (receivedAt < 0) return inboxKey(inbox);
  const key = keyWithName(inbox, NUMBER_BYTES);
  key.writeUIntBE(Math.min(receivedAt, MAX_NUMBER), key.length - NUMBER_BYTES, NUMBER_BYTES);
  return key;
}

function keyWithName(inbox: string, moreBytes: number): Buffer {
  const nameBytes = Buffer.byteLength(inbox);
  if (nameBytes > MAX_NAME_BYTES) throw new RangeError(`The name of an inbox has ${nameBytes} bytes.`);
  const key = Buffer.allocUnsafe(nameBytes + 1 + moreBytes);
  key.write(inbox);
  key[nameBytes] = END_OF_NAME;
  return key;
}

export const FIRST_INBOX: Buffer = Buffer.of(END_OF_NAME);

export function inboxOf(key: Buffer): string {
  return key.toString('utf8', 0, key.indexOf(END_OF_NAME));
}

export function behindInbox(key: Buffer): Buffer {
  return Buffer.concat([key.subarray(0, key.indexOf(END_OF_NAME)), Buffer.of(END_OF_NAME + 1)]);
}

export function receivedAtOf(emailKey: Buffer): number {
  return emailKey.readUIntBE(emailKey.length - NUMBER_BYTES, NUMBER_BYTES);
}

/** The key of an email among the deadlines; recipients count from 0. */
export function deadlineKey(expiresAt: number, message: number, recipient: number): Buffer {
  const key = Buffer.allocUnsafe(2 * NUMBER_BYTES + ORDINAL_BYTES);
  key.writeUIntBE(expiresAt, 0, NUMBER_BYTES);
  key.writeUIntBE(message, NUMBER_BYTES, NUMBER_BYTES);
  key.writeUInt32BE(recipient, 2 * NUMBER_BYTES);
  return key;
}

export function lastDeadlineAt(expiresAt: number): Buffer {
  return deadlineKey(Math.min(Math.max(expiresAt, 0), MAX_NUMBER), MAX_NUMBER, 2 ** (8 * ORDINAL_BYTES) - 1);
}

export const LAST_DEADLINE: Buffer = lastDeadlineAt(MAX_NUMBER);

export function expiresAtOf(deadlineKey: Buffer): number {
  return deadlineKey.readUIntBE(0, NUMBER_BYTES);
}

export function messageKey(message: number): Buffer {
  const key = Buffer.allocUnsafe(NUMBER_BYTES);
  key.writeUIntBE(message, 0, NUMBER_BYTES);
  return key;
}

export function partKey(message: number, position: number): Buffer {
  const key = Buffer.allocUnsafe(NUMBER_BYTES + ORDINAL_BYTES);
  key.writeUIntBE(message, 0, NUMBER_BYTES);
  key.writeUInt32BE(position, NUMBER_BYTES);
  return key;
}

export interface EmailRow {
  readonly to: string;
  readonly expiresAt: number;
  readonly indexBytes: number;
  readonly summaryBytes: number;
  readonly contentBytes: number;
  readonly message: number;
  readonly recipient: number;
  readonly isShared: boolean;
  /** Cleared on its own: not listed, not counted. */
  readonly isCleared: boolean;
}

const EMAIL_AT = {
  expiresAt: 0,
  message: 6,
  contentBytes: 12,
  indexBytes: 18,
  summaryBytes: 22,
  recipient: 26,
  flags: 30,
  to: 31,
};

const IS_SHARED = 1;
const IS_CLEARED = 2;

export function emailRowBytes(row: EmailRow): Buffer {
  const { to } = row;
  const bytes = Buffer.allocUnsafe(EMAIL_AT.to + Buffer.byteLength(to));
  bytes.writeUIntBE(row.expiresAt, EMAIL_AT.expiresAt, NUMBER_BYTES);
  bytes.writeUIntBE(row.message, EMAIL_AT.message, NUMBER_BYTES);
  bytes.writeUIntBE(row.contentBytes, EMAIL_AT.contentBytes, NUMBER_BYTES);
  bytes.writeUInt32BE(row.indexBytes, EMAIL_AT.indexBytes);
  bytes.writeUInt32BE(row.summaryBytes, EMAIL_AT.summaryBytes);
  bytes.writeUInt32BE(row.recipient, EMAIL_AT.recipient);
  bytes[EMAIL_AT.flags] = (row.isShared ? IS_SHARED : 0) | (row.isCleared ? IS_CLEARED : 0);
  bytes.write(to, EMAIL_AT.to);
  return bytes;
}

export function emailRow(bytes: Buffer): EmailRow {
  return {
    to: bytes.toString('utf8', EMAIL_AT.to, bytes.length),
    expiresAt: expiresAtIn(bytes),
    indexBytes: bytes.readUInt32BE(EMAIL_AT.indexBytes),
    summaryBytes: bytes.readUInt32BE(EMAIL_AT.summaryBytes),
    contentBytes: bytes.readUIntBE(EMAIL_AT.contentBytes, NUMBER_BYTES),
    message: messageIn(bytes),
    recipient: bytes.readUInt32BE(EMAIL_AT.recipient),
    isShared: (bytes.readUInt8(EMAIL_AT.flags) & IS_SHARED) !== 0,
    isCleared: isClearedIn(bytes),
  };
}

export function isClearedIn(emailRow: Buffer): boolean {
  return (emailRow.readUInt8(EMAIL_AT.flags) & IS_CLEARED) !== 0;
}

export function expiresAtIn(emailRow: Buffer): number {
  return emailRow.readUIntBE(EMAIL_AT.expiresAt, NUMBER_BYTES);
}

export function messageIn(emailRow: Buffer): number {
  return emailRow.readUIntBE(EMAIL_AT.message, NUMBER_BYTES);
}

const STATE_AT = { newest: 0, expiresAt: 6, goneUpTo: 12, count: 18, kept: 22, isMixed: 26 };
const STATE_BYTES = 27;

export function stateBytes(state: InboxState): Buffer {
  const bytes = Buffer.allocUnsafe(STATE_BYTES);
  bytes.writeUIntBE(state.newest, STATE_AT.newest, NUMBER_BYTES);
  bytes.writeUIntBE(state.expiresAt, STATE_AT.expiresAt, NUMBER_BYTES);
  // -1 while nothing has gone.
  bytes.writeUIntBE(state.goneUpTo + 1, STATE_AT.goneUpTo, NUMBER_BYTES);
  bytes.writeUInt32BE(state.count, STATE_AT.count);
  bytes.writeUInt32BE(state.kept, STATE_AT.kept);
  bytes[STATE_AT.isMixed] = state.isMixed ? 1 : 0;
  return bytes;
}

export function stateOf(bytes: Buffer): InboxState {
  return {
    newest: bytes.readUIntBE(STATE_AT.newest, NUMBER_BYTES),
    expiresAt: bytes.readUIntBE(STATE_AT.expiresAt, NUMBER_BYTES),
    goneUpTo: bytes.readUIntBE(STATE_AT.goneUpTo, NUMBER_BYTES) - 1,
    count: bytes.readUInt32BE(STATE_AT.count),
    kept: bytes.readUInt32BE(STATE_AT.kept),
    ...(bytes[STATE_AT.isMixed] === 1 ? { isMixed: true } : {}),
  };
}

export function isSeen(row: Buffer, now: number): boolean {
  return now < expiresAtIn(row) && !isClearedIn(row);
}
