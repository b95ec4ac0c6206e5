import { httpErrors } from '../../errors.js';
import { RequestError } from '../../http/http.js';
import { momentOf, type Zone } from './dates.js';

const TEXT_FIELDS = ['to', 'from', 'cc', 'bcc', 'reply-to', 'addressed', 'subject', 'message-id'] as const;

export type TextField = (typeof TEXT_FIELDS)[number];

/** One condition, negated if excluded. Texts are in lower case. */
export type Term = { readonly isExcluded: boolean } & (
  | { readonly kind: 'field'; readonly field: TextField; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'before' | 'after'; readonly moment: number }
  | { readonly kind: 'read'; readonly isRead: boolean }
  | { readonly kind: 'attachments' | 'inline' | 'tagged' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'larger' | 'smaller'; readonly bytes: number }
);

/** More terms than anybody writes, and more than a URL can hold. */
const MAX_TERMS = 50;
const MAX_CHARS = 16 * 1024;

const SIZE = /^(\d{1,15}(?:\.\d{1,6})?) ?(k|kb|m|mb)?$/;

const WORDS: ReadonlyMap<string, { readonly kind: 'attachments' | 'inline' | 'tagged' }> = new Map([
  ['has:attachment', { kind: 'attachments' }],
  ['has:attachments', { kind: 'attachments' }],
  ['has:inline', { kind: 'inline' }],
  ['has:inlines', { kind: 'inline' }],
  ['is:tagged', { kind: 'tagged' }],
]);

const TERMS =
  'to: from: cc: bcc: reply-to: addressed: subject: message-id: tag: before: after: larger: smaller: is:read is:unread is:tagged has:attachment has:inline and words';

/**
 * Mailpit's syntax: words and `name:value`, all of which must hold; `"…"` keeps blanks, a leading `-` or `!` excludes. Throws
 * 400 with a sentence.
 */
export function searchTerms(query: string, zone: Zone): Term[] {
  if (query.length > MAX_CHARS) throw badSearch(`it has more than ${MAX_CHARS} characters`);
  const words = wordsOf(query);
  if (words.length > MAX_TERMS) throw badSearch(`it has more than ${MAX_TERMS} terms`);
  const terms = words.flatMap((word) => {
    const isExcluded = word.length > 1 && /^[-!]/.test(word);
    const term = termOf(isExcluded ? word.slice(1) : word, zone);
    return term === null ? [] : [{ ...term, isExcluded } as Term];
  });
  if (terms.length === 0) throw badSearch(`give at least one term: ${TERMS}`);
  return terms;
}

function termOf(word: string, zone: Zone): object | null {
  const lower = word.toLowerCase();
  if (lower === 'is:read' || lower === 'is:unread') return { kind: 'read', isRead: lower === 'is:read' };
  const known = WORDS.get(lower);
  if (known !== undefined) return known;
  const colon = lower.indexOf(':');
  const name = colon < 0 ? '' : lower.slice(0, colon);
  const value = lower.slice(colon + 1).trim();
  if (name === 'before' || name === 'after') {
    const moment = momentOf(word.slice(colon + 1).trim(), zone);
    if (moment === null) {
      throw badSearch(
        `"${shown(word)}" is not a valid time: write a date, or a date and a time such as 2026-01-31T09:30:00Z`,
      );
    }
    return { kind: name, moment };
  }
  if (name === 'larger' || name === 'smaller') {
    const bytes = bytesIn(value);
    if (bytes !== null) return { kind: name, bytes };
    throw badSearch(`"${shown(word)}" is not a valid size: write a number of bytes, or one such as 200k or 1.5MB`);
  }
  if (name === 'tag') return value === '' ? null : { kind: 'tag', tag: value };
  const field = TEXT_FIELDS.find((known) => known === name);
  if (field !== undefined) return value === '' ? null : { kind: 'field', field, text: value };
  return lower.trim() === '' ? null : { kind: 'text', text: lower };
}

function bytesIn(size: string): number | null {
  const [, number = '', unit = ''] = SIZE.exec(size) ?? [];
  const factor = { '': 1, k: 1024, m: 1024 * 1024 }[unit.charAt(0)] ?? 1;
  return Math.floor(Number(number) * factor) || null;
}

/** An unclosed quote reaches to the end. */
function wordsOf(query: string): string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  for (const char of `${query} `) {
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted || !/\s/.test(char)) word += char;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  if (word.trim() !== '') words.push(word.trimEnd());
  return words;
}

const MAX_SHOWN_CHARS = 60;

function shown(word: string): string {
  return word.length > MAX_SHOWN_CHARS ? `${word.slice(0, MAX_SHOWN_CHARS)}…` : word;
}

export function badSearch(reason: string): RequestError {
  return new RequestError(httpErrors.badSearch, { reason });
}
