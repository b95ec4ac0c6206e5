import type { EmailParts } from 'mayfly-protocol/wire';
import type { EmailData } from '../wait/email.js';
import type { Pattern } from '../wait/text.js';
import { isLocal } from './faults.js';

/** Matches a `cid:` address, a `data:` address, or a web address of which parts may already be masked. */
const ADDRESS =
  /(https?:\/\/(?:\[[\da-f:.]{2,45}\])?(?:[^\s<>"'()[\]{}|\\^`]|\[masked\])+|\b(?:cid|data):[^\s<>"'()]+)/i;

/** Shorter local parts are not masked, because they may be ordinary words of the email. */
const LEAST_LOCAL_PART = 6;

type MaskedFields = Pick<EmailData, 'from' | 'fromName' | 'to' | 'subject' | 'otp'>;

/** An email as text for a snapshot. Masks the parts that differ each time, and all matches of `mask`. */
export function maskedEmail(email: MaskedFields, contents: EmailParts, mask: readonly Pattern[] = []): string {
  const { from, fromName, to, subject, otp } = email;
  const { text, html, parts, codes } = contents;
  const values = [otp, codes[0]?.value].filter((code) => typeof code === 'string');
  const own = (masked: string) =>
    mask.reduce<string>((rest, one) => rest.replaceAll(everywhere(one), () => '[masked]'), masked);
  const masked = (whole: string) => maskedParts(values.reduce(maskedCode, own(whole)), to);

  const lines = [
    `From: ${masked(fromName === '' ? from : `${fromName} <${from}>`)}`,
    `Subject: ${masked(subject)}`,
    ...parts
      .filter(({ attachment }) => attachment)
      .map(({ filename, type }) => `Attachment: ${masked(filename ?? 'without a name')} (${type})`),
  ];
  for (const [kind, body] of Object.entries({ Text: text, HTML: html })) {
    if (body) lines.push('', `--- ${kind} ---`, masked(body.replace(/\r\n?/g, '\n').trimEnd()));
  }
  return lines.join('\n');
}

function everywhere(pattern: Pattern): Pattern {
  if (typeof pattern === 'string' || pattern.global) return pattern;
  return new RegExp(pattern, pattern.flags.concat('g'));
}

/** Masks web, `cid:` and `data:` addresses, and the prose between them, by separate rules. */
function maskedParts(text: string, inbox: string): string {
  const parts = text.split(ADDRESS).map((part) => withoutInbox(part, inbox));
  // `split` puts the matches of the group at odd positions.
  return parts.map((part, at) => (at % 2 === 0 ? maskedProse(part) : maskedAddress(part))).join('');
}

/** Masks the inbox's address, and its local part, which applications use in greetings. */
function withoutInbox(text: string, inbox: string): string {
  const local = inbox.slice(0, inbox.lastIndexOf('@'));
  const masked = replaced(replaced(text, inbox, '[address]'), encodeURIComponent(inbox), '[address]');
  return local.length < LEAST_LOCAL_PART ? masked : replaced(masked, local, '[inbox]');
}

/** Replaces a text, ignoring ASCII case only, because other letters may change length in lower case. */
function replaced(text: string, wanted: string, mask: string): string {
  const lower = (whole: string) => whole.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let at = 0;
  const parts = lower(text).split(lower(wanted));
  const shown = parts.map(({ length }) => {
    const part = text.slice(at, at + length);
    at += length + wanted.length;
    return part;
  });
  return shown.join(mask);
}

/** Shorter codes are not masked, because they would also match parts of other numbers. */
const LEAST_CODE_LENGTH = 4;

/** Characters between the digits of a code: blanks, hyphens, tags, and invisible characters. */
const BETWEEN = /[\s\p{Cf}.-]+|<[^<>]*>|&(?:nbsp|shy|zwn?j|#\d{1,7}|#x[\da-f]{1,6});/giu;
const LETTER = /[\p{L}\p{N}]/u;

/** Characters that continue a code. Non-Latin letters do not, because some languages put no blank next to a code. */
const CONTINUES = /[A-Za-z\p{N}]/u;

/** Replaces each character of a code with `*`, even if the code is grouped or each digit has its own box. */
export function maskedCode(text: string, code: string): string {
  const sought = code.replace(/[\s.-]/g, '');
  if (sought.length < LEAST_CODE_LENGTH) return text;
  return hidden(hidden(text, code, each(text)), sought, letters(text));
}

type Places = readonly number[];

function each(text: string): Places {
  return Array.from({ length: text.length }, (_, at) => at);
}

function letters(text: string): Places {
  const marked = text.replace(BETWEEN, ({ length }) => '\0'.repeat(length));
  return each(text).filter((at) => marked[at] === text[at]);
}

function hidden(text: string, code: string, places: Places): string {
  const read = places.map((at) => text[at]).join('');
  const shown = text.split('');
  for (let found = read.indexOf(code); found >= 0; found = read.indexOf(code, found + code.length)) {
    const those = places.slice(found, found + code.length);
    const [first = 0, last = 0] = [those[0], those.at(-1)];
    if (CONTINUES.test(text[first - 1] ?? '') || CONTINUES.test(text[last + 1] ?? '')) continue;
    for (const at of those) if (LETTER.test(text[at] ?? '')) shown[at] = '*';
  }
  return shown.join('');
}

const wordsOf = (text: string) => new Set(text.trim().split(/\s+/));

const MONTHS = wordsOf(`
  january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  januar februar märz mai juni juli oktober dezember jänner okt dez
  janvier février mars avril juin juillet août septembre octobre novembre décembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
  januari februari maart mei augustus
`);
const WEEKDAYS = wordsOf(`
  monday tuesday wednesday thursday friday saturday sunday
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  lundi mardi mercredi jeudi vendredi samedi dimanche
  lunes martes miércoles jueves viernes sábado domingo
  lunedì martedì mercoledì giovedì venerdì sabato domenica
  segunda-feira terça-feira quarta-feira quinta-feira sexta-feira
  maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag
`);

const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
const ISO_DATE = /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?Z\b| ?[+-]\d\d:?\d\d)?)?/g;
const NUMERIC_DATE =
  /\b\d{1,2}(?:\.\d{1,2}\.|\/\d{1,2}\/|-\d{1,2}-)(?:19|20)\d\d\b|\b\d{1,2}\/\d{1,2}\/\d\d\b|(?<![\d.])\d\d\.\d\d\.\d\d\b(?!\.\d)/g;
const YEAR_FIRST = /\b(?:19|20)\d\d(?:\/\d{1,2}\/\d{1,2}\b|\.\s?\d{1,2}\.\s?\d{1,2}\b\.?)/g;
const EASTERN_DATE =
  /\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일](?:\s?[月火水木金土日]曜日|星期[一二三四五六日]|\s?[월화수목금토일]요일)?/g;

/** Matches 27 November 2026, 27. November, 27 de noviembre de 2026, 27th of November. */
const DAY_FIRST =
  /\b\d{1,2}(?:\.|st|nd|rd|th|º|er)?(?:\s|&nbsp;)(?:de |of )?(\p{L}{3,10})\.?,?((?:\s|&nbsp;)(?:de |do )?(?:19|20)\d\d\b(?:\sг\.)?)?/giu;
const MONTH_FIRST =
  /(?<!\p{L})(\p{L}{3,10})\.?(?:\s|&nbsp;)\d{1,2}(?:st|nd|rd|th)?\b(,?(?:\s|&nbsp;)(?:19|20)\d\d\b)?/giu;
const MONTH_AND_YEAR = /(?<!\p{L})(\p{L}{3,10})\.?(?:\s|&nbsp;)(?:19|20)\d\d\b/gu;
/** Any word with a comma before a date is a weekday. Without a comma, only these abbreviations are. */
const WEEKDAY_BEFORE = /(?<![\p{L}-])(?:[\p{L}-]{2,16}[.,]{1,2}|mon|tue|wed|thu|fri|sat|sun)\s(?=\[date\])/giu;
/** Matches a year, but not a price in whole units of a currency. */
const YEAR = /(?<![\w#.]|\p{Sc}\s?)(?:19|20)\d\d(?![\w%]|\.\d|(?:\s|&nbsp;)?(?:\p{Sc}|(?:EUR|USD|GBP|CHF|JPY)\b))/gu;

/** Matches 14:05, 2:05 PM, 14:05:33 UTC; 2 PM; 14h05. */
const TIME =
  /\b\d{1,2}(?::\d\d(?::\d\d)?(?:(?:\s|&nbsp;)?[aApP]\.?[mM]\b)?(?: (?:UTC|[A-Z]{2,3}T)\b)?(?: ?[+-]\d\d:?\d\d)?|(?:\s|&nbsp;)?[aApP]\.?[mM]\b|h\d\d\b)/g;
const WORD = /\p{L}{3,}(?:-feira)?/gu;
const LONG_WORD = /[\w-]{16,}/g;

export function maskedProse(text: string): string {
  return text
    .replace(UUID, '[id]')
    .replace(LONG_WORD, (word) => (isMadeAtRandom(word) ? '[id]' : word))
    .replace(ISO_DATE, '[date]')
    .replace(NUMERIC_DATE, '[date]')
    .replace(YEAR_FIRST, '[date]')
    .replace(EASTERN_DATE, '[date]')
    .replace(DAY_FIRST, dateIf)
    .replace(MONTH_FIRST, dateIf)
    .replace(WEEKDAY_BEFORE, '')
    .replace(TIME, '[time]')
    .replace(MONTH_AND_YEAR, (found, month) => (isMonth(month) ? '[date]' : found))
    .replace(YEAR, '[year]')
    .replace(WORD, (word) => (WEEKDAYS.has(word.toLowerCase()) ? '[day]' : word));
}

const isMonth = (word: string) => MONTHS.has(word.toLowerCase());

/** If there is a year, any word between day and year is a month. */
function dateIf(found: string, month: string, year?: string): string {
  return year !== undefined || isMonth(month) ? '[date]' : found;
}

/** Shorter words do not count as random, because tokens and IDs of that length look like names. */
const LEAST_RANDOM_LENGTH = 16;

/** Matches a piece of a name: a word (with at most 14 letters if it is in capitals) or a number with a unit. */
const NAME = /^(?:(?:[A-Z]?[a-z]*|[A-Z]{1,14})\d{0,3}|\d{1,4}[a-z]{0,3})$/;
const SEPARATOR = /[-_.~%+]/;
const HUMP = /(?<=[a-z])(?=[A-Z])/;
const HEX_NUMBER = /^(?=\D*\d)[\da-f]{16,}$/i;

/** Minimum average length of a name's pieces: for any name, and for names in camel case. */
const LEAST_PIECE_LENGTH = 3;
const LEAST_CAMEL_LENGTH = 4;

/** Whether a word is a random token or ID, not a name such as `email-header-logo` or `confirmYourAddress`. */
export function isMadeAtRandom(word: string): boolean {
  if (word.length < LEAST_RANDOM_LENGTH) return false;
  const parts = word.split(SEPARATOR);
  const pieces = parts.flatMap((part) => part.split(HUMP)).filter(Boolean);
  if (pieces.length === 0) return false;
  return (
    word.length / pieces.length < LEAST_PIECE_LENGTH ||
    pieces.some((piece) => !NAME.test(piece) || HEX_NUMBER.test(piece)) ||
    parts.some(hasShortHumps)
  );
}

/** Whether a part changes case too often to be a camel-case name. True for most random tokens that pass `NAME`. */
function hasShortHumps(piece: string): boolean {
  const humps = piece.split(HUMP);
  return humps.length > 2 && piece.length / humps.length < LEAST_CAMEL_LENGTH;
}

/** Matches punctuation that ends a sentence and is not part of the address before it. */
const SENTENCE_END = /[.,;:!?]$/;

/** Masks the parts of a web, `cid:` or `data:` address that differ each time. */
export function maskedAddress(address: string): string {
  if (/^cid:/i.test(address)) return 'cid:[id]';
  if (/^data:/i.test(address)) return address.replace(/,.*/s, ',[data]');
  const end = SENTENCE_END.exec(address)?.[0] ?? '';
  const whole = end === '' ? address : address.slice(0, -end.length);
  const [start = ''] = /^https?:\/\/[^/?#]*/i.exec(whole) ?? [];
  const [path = '', query = ''] = divided(whole.slice(start.length));
  return maskedOrigin(start) + path.split('/').map(maskedSegment).join('/') + maskedQuery(query) + end;
}

/** Masks the port, because applications under test often listen on any free port. */
function maskedOrigin(origin: string): string {
  const port = /:\d{1,5}$/.exec(origin)?.[0];
  if (port === undefined || !URL.canParse(origin) || !isLocal(new URL(origin).hostname)) return origin;
  return `${origin.slice(0, -port.length)}:[port]`;
}

function divided(rest: string): [string, string] {
  const at = rest.search(/[?#]/);
  return at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)];
}

function maskedSegment(segment: string): string {
  if (/^\d+$/.test(segment)) return '[number]';
  return isMadeAtRandom(segment) ? '[token]' : segment;
}

/** Masks all values, which are data. The names stay, because they show which template was used. */
function maskedQuery(query: string): string {
  const masked = query.replace(/=[^&#]+/g, '=[token]');
  return masked === query ? query.replace(/[\w.~%+-]+/g, maskedSegment) : masked;
}
