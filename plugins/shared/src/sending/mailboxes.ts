import { decodeWords } from 'mayfly-mail/internal/mime/encoded-words';
import { isAddress, oneLine, type Person } from '../compose-letter.js';

/** Maximum length of one text, because a header has no room for more. */
const MAX_CHARS = 64 * 1024;

/** Parses the people in `"Doe, Jane" <jane@app.test>, joe@app.test`; none if empty. Null if an address is invalid. */
export function mailboxesIn(text: string): readonly Person[] | null {
  if (text.length > MAX_CHARS) return null;
  const people = entries(text).map(personIn);
  return people.every((person) => person !== null) ? people : null;
}

/** Parses a text as a single person, whose name may have unquoted commas; null if the address is invalid. */
export function mailboxIn(text: string): Person | null {
  return text.length > MAX_CHARS ? null : personIn(text.trim());
}

/** Matches a text up to a comma that is neither quoted nor within angle brackets. */
const ENTRY = /(?:"(?:\\[\s\S]?|[^"\\])*"?|<[^>]*>?|[^",<])+/g;

function entries(text: string): readonly string[] {
  return (text.match(ENTRY) ?? []).map((part) => part.trim()).filter((part) => part !== '');
}

function personIn(entry: string): Person | null {
  if (!entry.endsWith('>')) return isAddress(entry) ? { name: '', address: entry } : null;
  const open = entry.lastIndexOf('<');
  const address = entry.slice(open + 1, -1).trim();
  if (open < 0 || !isAddress(address)) return null;
  const name = unquoted(oneLine(entry.slice(0, open)).trim());
  return { name: name.includes('=?') ? decoded(name) : name, address };
}

/** Decodes encoded words (RFC 2047), with which SES users write non-ASCII names. */
function decoded(name: string): string {
  return /^[ -~]*$/.test(name) ? oneLine(decodeWords(name)) : name;
}

function unquoted(name: string): string {
  if (name.length < 2 || !name.startsWith('"') || !name.endsWith('"')) return name;
  return name.slice(1, -1).replace(/\\(.)/g, '$1');
}
