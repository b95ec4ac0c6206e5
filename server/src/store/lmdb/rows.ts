/** Rows in LMDB, as bytes: they are read and written for every email. Numbers are big-endian; times have 48 bits. */

import type { InboxState } from '../admission.js';

const NUMBER_BYTES = 6;

export interface EmailRow {
  readonly to: string;
  readonly expiresAt: number;
  readonly indexBytes: number;
  readonly summaryBytes: number;
  readonly contentBytes: number;
  readonly message: number;
  readonly recipient: number;
  readonly isShared: boolean;
  /** Whether it was cleared by itself: nobody sees it, and it is not counted. */
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
  // Nothing has gone yet while it is -1.
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
