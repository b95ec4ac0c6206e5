import { httpErrors } from '../errors.js';
import type { Request } from '../http/framework.js';
import { readQuery } from '../http/query.js';
import { RequestError } from '../http/request-error.js';

/** How large a body may be that names messages: some ten thousand of them. */
export const MAX_CHOICE_BYTES = 1024 * 1024;

/** More names than any client sends. */
const MAX_NAMES = 20;

const EXAMPLE = '{"IDs":["…"]}';

type Name = 'ids' | 'read' | 'search';

/** Which messages a request is about: those of these IDs, or of a search; all where neither is given. */
export interface Choice {
  readonly ids: readonly string[];
  readonly search: string;
  readonly read: boolean;
}

/**
 * What a client sends to choose messages: JSON, a form, or nothing, each under any content type, its names in any case. Throws 400 for
 * whatever else has a single letter in it: to take that for "all", as Mailpit does, would delete what nobody named. `names` are those,
 * in small letters, of which one at least is there where any is.
 */
export function choiceOf({ body, headers }: Request, names: readonly Name[]): Choice {
  const text = Buffer.isBuffer(body) ? body.toString().trim() : '';
  if (text === '') return { ids: [], search: '', read: false };
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false;
  const fields = isForm ? readQuery(text) : parsed(text);
  const entries = Object.entries(fields);
  if (entries.length > MAX_NAMES) throw badChoice();
  const byName = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  // Of two that differ in their case alone, the one that is empty would mean all.
  if (byName.size < entries.length) throw badChoice();
  const ids = byName.get('ids') ?? [];
  const list = isForm ? [ids].flat() : ids;
  const [search, read] = [byName.get('search') ?? '', byName.get('read') ?? false];
  if (!isListOfTexts(list) || typeof search !== 'string') throw badChoice();
  // Whoever names something else, or misspells it, did not mean all.
  if (byName.size > 0 && !names.some((name) => byName.has(name))) throw badChoice();
  const isRead = isForm ? String(read).toLowerCase() === 'true' : read;
  if (typeof isRead !== 'boolean') throw badChoice();
  return { ids: list, search: search.trim(), read: isRead };
}

/** An object in JSON; none for null, as Mailpit's own clients send it. Throws 400 for anything else. */
function parsed(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badChoice();
  }
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw badChoice();
  return value;
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function badChoice(): RequestError {
  return new RequestError(httpErrors.badChoice, { example: EXAMPLE });
}
