import { bareInbox, httpErrors, type Records, type Request, RequestError, type Viewer } from 'mayfly-inbox/plugin';
import { canonicalInbox, MAX_INBOX_LENGTH } from 'mayfly-protocol/inbox-name';

export interface EmailPlace {
  readonly inbox: string;
  readonly receivedAt: number;
}

/** Length of the key of an ad-hoc workspace, including a slash. */
const MAX_SPACE_LENGTH = 27;

/** Length in base64 of a time, a separator and the longest inbox of an ad-hoc workspace. */
const MAX_ID_LENGTH = Math.ceil((4 * (12 + MAX_SPACE_LENGTH + MAX_INBOX_LENGTH)) / 3);

/** Maximum time in milliseconds since the epoch (ECMA-262 section 21.4.1.1). */
const MAX_TIME = 8.64e15;

/** Encodes an email's place as an ID that is valid in any path, so that no IDs need to be stored. */
export function idOf({ inbox, receivedAt }: EmailPlace): string {
  return Buffer.from(`${receivedAt.toString(36)} ${inbox}`).toString('base64url');
}

/** Parses an ID; null unless it is exactly as `idOf` writes it, because responses repeat the ID without escapes. */
export function placeOf(id: string): EmailPlace | null {
  if (id.length > MAX_ID_LENGTH) return null;
  const [time = '', name = '', ...more] = Buffer.from(id, 'base64url').toString().split(' ');
  const receivedAt = /^[0-9a-z]{1,11}$/.test(time) ? Number.parseInt(time, 36) : Number.NaN;
  const inbox = bareInbox(name);
  if (canonicalInbox(inbox) !== inbox || more.length > 0 || !(receivedAt <= MAX_TIME)) return null;
  return idOf({ inbox: name, receivedAt }) === id ? { inbox: name, receivedAt } : null;
}

export interface Page {
  readonly start: number;
  readonly limit: number;
}

/** Reads paging: by default `standard` messages, at most `most`. Like the original tools, ignores all but numbers. */
export function pageOf(request: Request, { standard, most }: Readonly<Record<'standard' | 'most', number>>): Page {
  const given = (name: string, otherwise: number) => {
    const text = textParameter(request, name);
    return /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
  };
  return { start: given('start', 0), limit: Math.min(given('limit', standard), most) };
}

/** Returns the first value of a query parameter; empty if the parameter is missing. */
export function textParameter({ query }: Request, name: string): string {
  return [(query as Record<string, string | string[]>)[name] ?? ''].flat()[0] ?? '';
}

export function badQuery(name: string, rule: string): RequestError {
  return new RequestError(httpErrors.badQuery, { name, rule });
}

const WHOLE_ADDRESS = /^[^\s<>"@]+@[^\s<>"@]+$/;

/** Returns the recipient to whose inbox a search can be limited: a whole address in a served domain; otherwise null. */
export function recipientNamed(text: string, records: Pick<Records, 'recipientOf'>, { adHoc }: Viewer) {
  const recipient = WHOLE_ADDRESS.test(text) ? records.recipientOf(text, adHoc) : null;
  return typeof recipient === 'string' ? null : recipient;
}
