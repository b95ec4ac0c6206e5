import { inboxName } from 'mayfly-client/inbox-name';

export interface EmailPlace {
  readonly inbox: string;
  readonly receivedAt: number;
}

const MAX_ID_LENGTH = 120;

/** In milliseconds since the epoch (ECMA-262 section 21.4.1.1). */
const MAX_TIME = 8.64e15;

/** A message's ID is one of its emails, in letters of any path, so that no ID has to be stored. */
export function idOf({ inbox, receivedAt }: EmailPlace): string {
  return Buffer.from(`${receivedAt.toString(36)} ${inbox}`).toString('base64url');
}

/** Null for anything but an ID. Each has one spelling, so it may stand in an answer as it came. */
export function placeOf(id: string): EmailPlace | null {
  if (id.length > MAX_ID_LENGTH) return null;
  const [time = '', name = '', ...more] = Buffer.from(id, 'base64url').toString().split(' ');
  const receivedAt = /^[0-9a-z]{1,11}$/.test(time) ? Number.parseInt(time, 36) : Number.NaN;
  const inbox = inboxName(name);
  if (inbox !== name || more.length > 0 || !(receivedAt <= MAX_TIME)) return null;
  return idOf({ inbox, receivedAt }) === id ? { inbox, receivedAt } : null;
}
