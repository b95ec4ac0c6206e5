import { randomBytes } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562 section 5.7): its time says where to look for the mail, so no list of ids is kept.
 * `time` is in milliseconds since the epoch.
 */
export function timedUuid(time: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(time, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const TIMED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The time in such a UUID; null for any other text. */
export function timeOf(uuid: string): number | null {
  return TIMED_UUID.test(uuid) ? Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16) : null;
}

/** As Postmark makes it, so that an application can compute the Message-ID from the answer. */
export function postmarkMessageId(id: string): string {
  return `<${id}@mtasv.net>`;
}
