import { RequestError } from 'mayfly-inbox/plugin';
import { ERRORS } from './errors.js';

const TEXT_FIELDS = ['to', 'from', 'cc', 'bcc', 'reply-to', 'addressed', 'subject', 'message-id'] as const;

export type TextField = (typeof TEXT_FIELDS)[number];

/** One condition of a search, negated if `isExcluded`. Texts are in lower case. */
export type Term = { readonly isExcluded: boolean } & (
  | { readonly kind: 'field'; readonly field: TextField; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'before' | 'after'; readonly moment: number }
  | { readonly kind: 'read'; readonly isRead: boolean }
  | { readonly kind: 'attachments' | 'inline' | 'tagged' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'larger' | 'smaller'; readonly bytes: number }
);

const MAX_TERMS = 50;
const MAX_CHARS = 16 * 1024;
const MAX_SHOWN_CHARS = 60;
const SIZE = /^(\d{1,15}(?:\.\d{1,6})?) ?(k|kb|m|mb)?$/;

const WORDS: ReadonlyMap<string, object> = new Map([
  ...['has:attachment', 'has:attachments'].map((word) => [word, { kind: 'attachments' }] as const),
  ...['has:inline', 'has:inlines'].map((word) => [word, { kind: 'inline' }] as const),
  ['is:tagged', { kind: 'tagged' }],
  ['is:read', { kind: 'read', isRead: true }],
  ['is:unread', { kind: 'read', isRead: false }],
]);

const TERMS =
  'to: from: cc: bcc: reply-to: addressed: subject: message-id: tag: before: after: larger: smaller: is:read is:unread is:tagged has:attachment has:inline and words';

/** Parses words and `name:value`, which must all match. `"…"` keeps blanks, `-` or `!` excludes. Throws 400. */
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
    throw badSearch(`"${shown(word)}" is not a valid size: write a number of bytes, or a size such as 200k or 1.5MB`);
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

/** Splits a query at blanks outside quotes. An unclosed quote extends to the end. */
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

function shown(word: string): string {
  return word.length > MAX_SHOWN_CHARS ? `${word.slice(0, MAX_SHOWN_CHARS)}…` : word;
}

export function badSearch(reason: string): RequestError {
  return new RequestError(ERRORS.badSearch, { reason });
}

/** Examples: `2026-01-31`, `2026-01-31 09:30`, `2026-01-31T09:30:00.5Z`. */
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[ Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d{0,6})?)?)?(?: ?(Z|z|[+-]\d{2}:?\d{2}))?$/;

const MAX_LENGTH = 40;
const EPOCH = /^\d{10}(?:\d{3})?$/;
const MINUTE_MS = 60_000;

/** Milliseconds since the epoch; `zone` applies to times without a zone. Null for anything but a time. */
export function momentOf(text: string, zone: Zone): number | null {
  if (text.length > MAX_LENGTH) return null;
  if (EPOCH.test(text)) return Number(text) * (text.length === 10 ? 1_000 : 1);
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', offset] = DATE.exec(text) ?? [];
  if (year === undefined) return null;
  const utc = Date.UTC(+year, Number(month) - 1, Number(day), +hour, +minute, +second, Number(fraction.padEnd(3, '0')));
  // Rejects dates that `Date.UTC` would accept, such as 31 February, month 13 and 24:00.
  const isDay = new Date(utc).toISOString().startsWith(`${year}-${month}-${day}`);
  if (!isDay || +minute > 59 || +second > 59) return null;
  return offset === undefined ? zone(utc) : utc - offsetMs(offset);
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (offset.startsWith('-') ? -minutes : minutes) * MINUTE_MS;
}

/** Converts a local time, given as if it were UTC, to milliseconds since the epoch. */
export type Zone = (local: number) => number;

export const UTC: Zone = (local) => local;

/** Returns the zone with an IANA name such as `Europe/Berlin`; null if the name is unknown. */
export function zoneOf(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
  } catch {
    return null;
  }
  const localAt = (moment: number) => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const offsetAt = (moment: number) => localAt(moment) - Math.floor(moment / 1_000) * 1_000;
  // Converts twice, because the offset at the first result may differ from the offset that led to it.
  return (local) => local - offsetAt(local - offsetAt(local));
}
