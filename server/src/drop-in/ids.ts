import { inboxName } from 'mayfly-client/inbox-name';

/** One email by its inbox and its `receivedAt`. */
export interface EmailPlace {
  readonly inbox: string;
  readonly receivedAt: number;
}

/** The longest text that is taken for the ID of a message: the longest inbox name, and a time. */
const MAX_ID_LENGTH = 120;

/** The latest moment that there is, in milliseconds since the epoch (ECMA-262 section 21.4.1.1). */
const MAX_TIME = 8.64e15;

/** What clients of other mail catchers call a message, of which nothing has to be kept: one of its emails, in letters that every path takes. */
export function idOf({ inbox, receivedAt }: EmailPlace): string {
  return Buffer.from(`${receivedAt.toString(36)} ${inbox}`).toString('base64url');
}

/** The email that an ID names; null where it is no ID. There is one way to write each, so that it may stand in an answer as it came. */
export function placeOf(id: string): EmailPlace | null {
  if (id.length > MAX_ID_LENGTH) return null;
  const [time = '', name = '', ...more] = Buffer.from(id, 'base64url').toString().split(' ');
  const receivedAt = /^[0-9a-z]{1,11}$/.test(time) ? Number.parseInt(time, 36) : Number.NaN;
  const inbox = inboxName(name);
  if (inbox !== name || more.length > 0 || !(receivedAt <= MAX_TIME)) return null;
  return idOf({ inbox, receivedAt }) === id ? { inbox, receivedAt } : null;
}
