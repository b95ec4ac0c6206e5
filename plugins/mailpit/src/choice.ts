import { type Clock, type Request, RequestError, readQuery } from 'mayfly-inbox/plugin';
import { ERRORS } from './errors.js';

/** About ten thousand IDs. */
export const MAX_CHOICE_BYTES = 1024 * 1024;
const MAX_NAMES = 20;
const EXAMPLE = '{"IDs":["…"]}';

type Name = 'ids' | 'read' | 'search';

/** Names that select messages elsewhere, including the list forms of queries: `IDs[]`, `IDs[0]`. */
const IN_A_QUERY = /^(?:ids?|query|search|tags?)\b/i;
const BLANK = /^[ \t\r\n]*$/;

/** JSON without escapes and texts has one colon for each name. */
const ESCAPED = /\\./g;
const TEXT = /"[^"]*"/g;

/** For bodies without a length. Two writes of one client arrive closer together. */
export const UNFRAMED_BODY_MS = 20;

/**
 * Reads a choice from JSON, a form or an empty body, of any content type. Throws 400 for any other body, even a single
 * byte: as "all", which Mailpit assumes, it would delete unnamed messages. A body with names must have one of `names`.
 */
export function choiceOf({ body, headers, query }: Request, names: readonly Name[]) {
  const text = Buffer.isBuffer(body) ? body.toString() : '';
  // A client that names messages in the query does not mean all.
  if (Object.keys(query as object).some((name) => IN_A_QUERY.test(name))) throw badChoice();
  if (BLANK.test(text)) return { ids: [], search: '', read: false };
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
  const byName = namesOf(isForm ? readForm(text) : readJson(text));
  const [search, read] = [byName.get('search') ?? '', byName.get('read') ?? false];
  // A missing list is null as well; together with a search it selects nothing.
  const ids = search === '' && byName.has('ids') ? byName.get('ids') : (byName.get('ids') ?? []);
  const list = isForm ? [ids].flat() : ids;
  if (!isListOfTexts(list) || typeof search !== 'string') throw badChoice();
  // A client that names or misspells something else does not mean all.
  if (byName.size > 0 && !names.some((name) => byName.has(name))) throw badChoice();
  const isRead = isForm ? String(read).toLowerCase() === 'true' : read;
  if (typeof isRead !== 'boolean') throw badChoice();
  return { ids: list, search: search.trim(), read: isRead };
}

/** An unannounced body (RFC 9112 section 6.3) ends the connection with 400. Node's client sends one with DELETE. */
export async function awaitUnframedBody({ headers }: Request, clock: Pick<Clock, 'after'>): Promise<void> {
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return;
  await new Promise<void>((resolve) => clock.after(UNFRAMED_BODY_MS, resolve));
}

/** By names in lower case. Throws 400 for two that differ only in case: an empty one would mean all. */
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

/** A flat object; an empty one for null, which Mailpit's clients send. Throws 400 for anything else. */
function readJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badChoice();
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badChoice();
  // The parser keeps the last of several equal names, so an empty list would hide the first.
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
