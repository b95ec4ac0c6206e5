/**
 * Keys in LMDB, which orders them byte by byte. Numbers are big-endian, so that they are in order too: times and the numbers of
 * messages have 48 bits, which lasts until the year 10889.
 */

const NUMBER_BYTES = 6;
const MAX_NUMBER = 2 ** 48 - 1;
const ORDINAL_BYTES = 4;

/** What ends an inbox's name in a key. No name has it, so no name's keys stand among those of another that begins alike. */
const END_OF_NAME = 0;

/** Longest name in a key, in bytes. LMDB takes keys of at most 1,978 bytes in pages of 4 KiB. */
const MAX_NAME_BYTES = 1_900;

/** The key of what is known of an inbox. The keys of its emails begin with it and follow it. Throws on a name that is too long. */
export function inboxKey(inbox: string): Buffer {
  return keyWithName(inbox, 0);
}

/** The key of an email. A time before 1970 gives the inbox's own key, which stands before those of all of its emails. */
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

/** No key of an inbox stands before this. */
export const FIRST_INBOX: Buffer = Buffer.of(END_OF_NAME);

/** The inbox of its own key, or of one of its emails'. */
export function inboxOf(key: Buffer): string {
  return key.toString('utf8', 0, key.indexOf(END_OF_NAME));
}

/** Where the keys of the inbox of a key are over, and those of the next begin. */
export function behindInbox(key: Buffer): Buffer {
  return Buffer.concat([key.subarray(0, key.indexOf(END_OF_NAME)), Buffer.of(END_OF_NAME + 1)]);
}

/** The `receivedAt` of an email's key. */
export function receivedAtOf(emailKey: Buffer): number {
  return emailKey.readUIntBE(emailKey.length - NUMBER_BYTES, NUMBER_BYTES);
}

/** The key of an email among the deadlines: the email of this message's recipient, counted from 0. */
export function deadlineKey(expiresAt: number, message: number, recipient: number): Buffer {
  const key = Buffer.allocUnsafe(2 * NUMBER_BYTES + ORDINAL_BYTES);
  key.writeUIntBE(expiresAt, 0, NUMBER_BYTES);
  key.writeUIntBE(message, NUMBER_BYTES, NUMBER_BYTES);
  key.writeUInt32BE(recipient, 2 * NUMBER_BYTES);
  return key;
}

/** Behind every deadline of this moment, and before those of the next. */
export function lastDeadlineAt(expiresAt: number): Buffer {
  return deadlineKey(Math.min(Math.max(expiresAt, 0), MAX_NUMBER), MAX_NUMBER, 2 ** (8 * ORDINAL_BYTES) - 1);
}

/** Behind every deadline. */
export const LAST_DEADLINE: Buffer = lastDeadlineAt(MAX_NUMBER);

/** The `expiresAt` of a deadline's key. */
export function expiresAtOf(deadlineKey: Buffer): number {
  return deadlineKey.readUIntBE(0, NUMBER_BYTES);
}

/** The key of what belongs to a message as a whole. */
export function messageKey(message: number): Buffer {
  const key = Buffer.allocUnsafe(NUMBER_BYTES);
  key.writeUIntBE(message, 0, NUMBER_BYTES);
  return key;
}

/** The key of one part of a message's bytes, counted from 0. */
export function partKey(message: number, position: number): Buffer {
  const key = Buffer.allocUnsafe(NUMBER_BYTES + ORDINAL_BYTES);
  key.writeUIntBE(message, 0, NUMBER_BYTES);
  key.writeUInt32BE(position, NUMBER_BYTES);
  return key;
}
