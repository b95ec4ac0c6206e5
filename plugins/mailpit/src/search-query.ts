import { RequestError } from 'mayfly-inbox/plugin';
import type { Head } from 'mayfly-plugins-shared/all-inboxes';
import { ERRORS } from './errors.js';
import { tagsOf } from './summary.js';

/** One condition of a search, negated if `isExcluded`: `name:text` in lower case, or a word if the name is empty. */
export interface Term {
  readonly isExcluded: boolean;
  readonly name: string;
  readonly text: string;
  /** A time in milliseconds since the epoch, or a size in bytes; 0 for other conditions. */
  readonly number: number;
}

interface Seen {
  readonly head: Head;
  readonly receivedAt: number;
  readonly isRead: boolean;
}

type Condition = (seen: Seen, term: Term) => boolean;

const textsOf = (people: readonly Head['from'][]) => people.flatMap(({ name, address }) => [address, name]);
const addressed = ({ to, from, cc, bcc, replyTo }: Head) => textsOf([from, ...to, ...cc, ...bcc, ...replyTo]);

const containing =
  (texts: (head: Head) => readonly string[]): Condition =>
  ({ head }, { text }) =>
    texts(head).some((one) => one.toLowerCase().includes(text));

const hasAttachments: Condition = ({ head }) => head.attachments > 0;
const hasInlineFiles: Condition = ({ head }) => head.inlineFiles > 0;

const CONDITIONS = new Map<string, Condition>([
  ['has:attachment', hasAttachments],
  ['has:attachments', hasAttachments],
  ['has:inline', hasInlineFiles],
  ['has:inlines', hasInlineFiles],
  ['is:tagged', ({ head }) => tagsOf(head).length > 0],
  ['is:read', ({ isRead }) => isRead],
  ['is:unread', ({ isRead }) => !isRead],
  ['before', ({ receivedAt }, { number }) => receivedAt <= number],
  ['after', ({ receivedAt }, { number }) => receivedAt >= number],
  // A message of exactly this size matches neither the term nor its negation: `isExcluded` later inverts the result.
  ['larger', ({ head: { size } }, { number, isExcluded }) => (size === number ? isExcluded : size > number)],
  ['smaller', ({ head: { size } }, { number, isExcluded }) => (size === number ? isExcluded : size < number)],
  ['tag', ({ head }, { text }) => tagsOf(head).some((tag) => tag.toLowerCase() === text)],
  ['to', containing(({ to }) => textsOf(to))],
  ['from', containing(({ from }) => textsOf([from]))],
  ['cc', containing(({ cc }) => textsOf(cc))],
  ['bcc', containing(({ bcc }) => textsOf(bcc))],
  ['reply-to', containing(({ replyTo }) => textsOf(replyTo))],
  ['addressed', containing(addressed)],
  ['subject', containing(({ subject }) => [subject])],
  ['message-id', containing(({ id }) => [id])],
  ['', containing((head) => [...addressed(head), head.subject, ...head.fileNames])],
]);

/** Whether a message fulfils a term, before negation. Does not look for words in the message's text. */
export function holds(term: Term, seen: Seen): boolean {
  return CONDITIONS.get(term.name)?.(seen, term) ?? false;
}

const MAX_TERMS = 50;
const MAX_CHARS = 16 * 1024;
const MAX_SHOWN_CHARS = 60;
const SIZE = /^(\d{1,15}(?:\.\d{1,6})?) ?(k|kb|m|mb)?$/;

const TERMS =
  'to: from: cc: bcc: reply-to: addressed: subject: message-id: tag: before: after: larger: smaller: is:read is:unread is:tagged has:attachment has:inline and words';

/** Parses words and `name:value`, which must all match. `"…"` keeps blanks, `-` or `!` excludes. Throws 400. */
export function searchTerms(query: string, zone: Zone): Term[] {
  if (query.length > MAX_CHARS) throw badSearch(`it has more than ${MAX_CHARS} characters`);
  const words = wordsOf(query);
  if (words.length > MAX_TERMS) throw badSearch(`it has more than ${MAX_TERMS} terms`);
  const terms = words
    .map((word) => {
      const isExcluded = word.length > 1 && /^[-!]/.test(word);
      return { isExcluded, number: 0, ...termOf(isExcluded ? word.slice(1) : word, zone) };
    })
    // A name without a value, and quoted blanks, are no terms.
    .filter(({ name, text }) => text !== '' || name.includes(':'));
  if (terms.length === 0) throw badSearch(`give at least one term: ${TERMS}`);
  return terms;
}

function termOf(word: string, zone: Zone): Pick<Term, 'name' | 'text'> & Partial<Term> {
  const lower = word.toLowerCase();
  const colon = lower.indexOf(':');
  if (colon > 0 && CONDITIONS.has(lower)) return { name: lower, text: '' };
  const name = lower.slice(0, Math.max(colon, 0));
  if (name === '' || !CONDITIONS.has(name)) return { name: '', text: lower.trim() === '' ? '' : lower };
  const text = lower.slice(colon + 1).trim();
  if (name === 'before' || name === 'after') {
    const rule = 'time: write a date, or a date and a time such as 2026-01-31T09:30:00Z';
    return { name, text, number: momentOf(text, zone) ?? notValid(word, rule) };
  }
  if (name === 'larger' || name === 'smaller') {
    const rule = 'size: write a number of bytes, or a size such as 200k or 1.5MB';
    return { name, text, number: bytesIn(text) ?? notValid(word, rule) };
  }
  return { name, text };
}

function notValid(word: string, rule: string): never {
  const shown = word.length > MAX_SHOWN_CHARS ? `${word.slice(0, MAX_SHOWN_CHARS)}…` : word;
  throw badSearch(`"${shown}" is not a valid ${rule}`);
}

function bytesIn(size: string): number | null {
  const [, number = '', unit = ''] = SIZE.exec(size) ?? [];
  const factor = { '': 1, k: 1024, m: 1024 * 1024 }[unit.charAt(0)] ?? 1;
  return Math.floor(Number(number) * factor) || null;
}

/** Splits a query at blanks outside quotes. An unclosed quote extends to the end. */
function wordsOf(query: string): string[] {
  const words = query.trimEnd().match(/(?:"[^"]*"?|[^\s"])+/g) ?? [];
  return words.map((word) => word.replaceAll('"', '')).filter((word) => word !== '');
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
  const [hours = 0, minutes = 0, seconds = 0] = (offset.match(/\d\d/g) ?? []).map(Number);
  const ms = (hours * 60 + minutes) * MINUTE_MS + seconds * 1_000;
  return offset.startsWith('-') ? -ms : ms;
}

/** Converts a local time, given as if it were UTC, to milliseconds since the epoch. */
export type Zone = (local: number) => number;

export const UTC: Zone = (local) => local;

/** Returns the zone with an IANA name such as `Europe/Berlin`; null if the name is unknown. */
export function zoneOf(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
  // `timeZoneName` is a text such as `GMT+02:00`, or just `GMT`.
  const offsetAt = (moment: number) => {
    const shown = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return offsetMs(shown.slice('GMT'.length) || 'Z');
  };
  // Converts twice: near a change of the clocks, the offset at the first result may differ from the one used for it.
  return (local) => local - offsetAt(local - offsetAt(local));
}
