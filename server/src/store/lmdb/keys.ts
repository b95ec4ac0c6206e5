/** Keys in LMDB, which orders them byte by byte. Numbers are big-endian, so they are in order: 48 bits last until the year 10889. */

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

/** The key of an email among the deadlines: the email of this message's recipient, counted from 0. */
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
