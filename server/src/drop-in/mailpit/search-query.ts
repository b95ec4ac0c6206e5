import { httpErrors } from '../../errors.js';
import { RequestError } from '../../http/request-error.js';
import { momentOf, type Zone } from './dates.js';

/** What a term looks at. */
export const TEXT_FIELDS = ['to', 'from', 'cc', 'bcc', 'reply-to', 'addressed', 'subject', 'message-id'] as const;

export type TextField = (typeof TEXT_FIELDS)[number];

/** One term of a search: what must be so, or must not where it is excluded. Texts are in lower case. */
export type Term = { readonly isExcluded: boolean } & (
  | { readonly kind: 'field'; readonly field: TextField; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'before' | 'after'; readonly moment: number }
  | { readonly kind: 'read'; readonly isRead: boolean }
  | { readonly kind: 'attachments' }
);

/** More terms than anybody writes, and a longer search than an address can hold. */
const MAX_TERMS = 50;
const MAX_CHARS = 16 * 1024;

/** Terms of Mailpit's that ask for what is not kept here. */
const NOT_KEPT = /^(?:tag:|is:tagged$|has:inlines?$|larger:|smaller:)/;

/** What stands for a list of what can be searched for. */
const TERMS =
  'to: from: cc: bcc: reply-to: addressed: subject: message-id: before: after: is:read is:unread has:attachment and words';

/**
 * Takes a search apart as Mailpit writes them: words and `name:value`, all of which must be so; `"…"` holds blanks together, and a `-`
 * or `!` in front excludes. A time without a zone is in that one. Throws 400 with a sentence for what is not understood.
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

/** What a word asks for; null where it asks for nothing. */
function termOf(word: string, zone: Zone): object | null {
  const lower = word.toLowerCase();
  if (NOT_KEPT.test(lower)) {
    throw badSearch(`"${shown(word)}" asks for what Mayfly does not keep. It takes ${TERMS}`);
  }
  if (lower === 'is:read' || lower === 'is:unread') return { kind: 'read', isRead: lower === 'is:read' };
  if (lower === 'has:attachment' || lower === 'has:attachments') return { kind: 'attachments' };
  const colon = lower.indexOf(':');
  const name = colon < 0 ? '' : lower.slice(0, colon);
  const value = lower.slice(colon + 1).trim();
  if (name === 'before' || name === 'after') {
    const moment = momentOf(word.slice(colon + 1).trim(), zone);
    if (moment === null) {
      throw badSearch(
        `"${shown(word)}" names no time: write a date, or a date and a time such as 2026-01-31T09:30:00Z`,
      );
    }
    return { kind: name, moment };
  }
  const field = TEXT_FIELDS.find((known) => known === name);
  if (field !== undefined) return value === '' ? null : { kind: 'field', field, text: value };
  return lower.trim() === '' ? null : { kind: 'text', text: lower };
}

/** The words of a query. Quotes hold blanks together and are left out; one that is not closed reaches to the end. */
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

/** So much of a client's text is said back to it. */
const MAX_SHOWN_CHARS = 60;

function shown(word: string): string {
  return word.length > MAX_SHOWN_CHARS ? `${word.slice(0, MAX_SHOWN_CHARS)}…` : word;
}

export function badSearch(reason: string): RequestError {
  return new RequestError(httpErrors.badSearch, { reason });
}
