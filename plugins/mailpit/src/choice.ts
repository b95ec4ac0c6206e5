import { type Clock, type Request, RequestError, readQuery } from 'mayfly-inbox/plugin';
import { ERRORS } from './errors.js';

/** Maximum size of a request that selects messages, enough for about ten thousand IDs. */
export const MAX_CHOICE_BYTES = 1024 * 1024;
const MAX_NAMES = 20;
const EXAMPLE = '{"IDs":["…"]}';

type Name = 'ids' | 'read' | 'search';

/** Query parameters that select messages in requests without a body, including list forms: `IDs[]`, `IDs[0]`. */
const IN_A_QUERY = /^(?:ids?|query|search|tags?)\b/i;
const BLANK = /^[ \t\r\n]*$/;

/** Once these are removed, JSON has one colon per name, so a count of colons shows duplicate names. */
const ESCAPED = /\\./g;
const TEXT = /"[^"]*"/g;

/** How long to wait for a body without a length, which clients send immediately after the head. */
export const UNFRAMED_BODY_MS = 20;

/**
 * Reads a choice of messages from JSON, a form or an empty body. Throws 400 for any other body, even one byte, because
 * Mailpit would treat that body as "all" and delete messages. A body with fields must have one of `names`.
 */
export function choiceOf({ body, headers, query }: Request, names: readonly Name[]) {
  const text = Buffer.isBuffer(body) ? body.toString() : '';
  // A selection in the query would otherwise be ignored, and the request would apply to all messages.
  if (Object.keys(query as object).some((name) => IN_A_QUERY.test(name))) throw badChoice();
  if (BLANK.test(text)) return { ids: [], search: '', read: false };
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
  const byName = namesOf(isForm ? readForm(text) : readJson(text));
  const [search, read] = [byName.get('search') ?? '', byName.get('read') ?? false];
  // A missing `ids` counts as an empty list, and so does null if there is a search. Otherwise, null is rejected below.
  const ids = search === '' && byName.has('ids') ? byName.get('ids') : (byName.get('ids') ?? []);
  const list = isForm ? [ids].flat() : ids;
  if (!isListOfTexts(list) || typeof search !== 'string') throw badChoice();
  // An unknown or misspelled field would otherwise be ignored, and the request would apply to all messages.
  if (byName.size > 0 && !names.some((name) => byName.has(name))) throw badChoice();
  const isRead = isForm ? String(read).toLowerCase() === 'true' : read;
  if (typeof isRead !== 'boolean') throw badChoice();
  return { ids: list, search: search.trim(), read: isRead };
}

/** Waits a moment, in which a body without a length (Node's DELETE) closes the connection (RFC 9112 section 6.3). */
export async function awaitUnframedBody({ headers }: Request, clock: Pick<Clock, 'after'>): Promise<void> {
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return;
  await new Promise<void>((resolve) => clock.after(UNFRAMED_BODY_MS, resolve));
}

/** Returns the fields by lower-case name. Throws 400 if two names differ only in case: one field would be ignored. */
function namesOf(fields: object): Map<string, unknown> {
  const entries = Object.entries(fields);
  const byName = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  if (entries.length > MAX_NAMES || byName.size < entries.length) throw badChoice();
  return byName;
}

function readForm(text: string): object {
  const form = readQuery(text);
  if (Object.keys(form).length === 0) throw badChoice();
  return form;
}

/** Parses a flat object; null, which Mailpit's clients send, counts as empty. Throws 400 for anything else. */
function readJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badChoice();
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badChoice();
  // Rejects duplicate names, of which the parser keeps only the last: an empty list could replace an earlier one.
  if (text.replace(ESCAPED, '').replace(TEXT, '').split(':').length - 1 !== Object.keys(value).length)
    throw badChoice();
  return value;
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function badChoice(): RequestError {
  return new RequestError(ERRORS.badChoice, { example: EXAMPLE });
}
