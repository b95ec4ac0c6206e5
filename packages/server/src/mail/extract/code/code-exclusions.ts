import type { Exclusion } from '../score.js';
import { firstAt, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import { MAX_WORD_CHARS, type Word } from '../words/lexicon.js';
import type { NumberRun } from './numbers.js';
import { beginsWithSharedUnit, beginsWithTimeUnit } from './time-units.js';

export interface Surroundings {
  readonly passage: Passage;
  readonly run: NumberRun;
  /** The text before the number (before all that is joined to it), in the case it is written in. */
  readonly before: string;
  readonly after: string;
  /** An element begins, or ends, right where the number does: what it touches there is not its word. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** Something other than white space touches it. Most numbers touch nothing, and many rules need that. */
  readonly touches: boolean;
  /** What stands between the number and the white space around it, in lower case. */
  readonly token: { readonly before: string; readonly after: string };
}

/** Text looked at before a number: as much as the longest expression needs, as those ending in `$` try every place. */
const BEFORE_CHARS = 12;
const AFTER_CHARS = 60;
const MAX_TOKEN_CHARS = 100;

const CURRENCY =
  '[$€£¥₹₽₩₺₴₫฿₪₱₦]|(?:USD|EUR|GBP|CHF|INR|JPY|CNY|RMB|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|AUD|CAD|SGD|MYR|BRL|MXN|ZAR|KRW)';
const PRICE_BEFORE = new RegExp(`(?:${CURRENCY}|\\b(?:Rs|RM|Rp|R\\$|[Kk]r))[ .\\u00a0]?$`);
const PRICE_AFTER = new RegExp(
  `^[ \\u00a0]?(?:(?:${CURRENCY}|[Kk]r|zł|Kč|Ft|[Ll]ei|TL|руб|грн|лв)(?![\\p{L}])|[元円원])`,
  'u',
);
const MEASURE_AFTER = /^ ?(?:[KMGTkmgt]i?[Bb]|px|ms|[kcm]?m|k?g|mAh|kWh|[kMG]?Hz|dpi|°[CF]?)(?![\p{L}])/u;

/** `2026. december 5.`, `2026. gada 5. decembrī`, `2026 m. gruodžio 5 d.`. */
const YEAR = /^(?:19|20)\d\d$/;
const DAY_AFTER = /^(?:\. ?| \p{L}{1,2}\. ?)\p{Ll}{1,15}\.? \d{1,2}(?!\d)/u;

/** `2261 Market Street`. */
const STREET_AFTER =
  /^ (?:[A-Z][\w.'-]{0,20} ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Parkway|Pkwy)\b/;
const MAX_HOUSE_NUMBER_DIGITS = 5;
/** `Rue des Lilas 12, 69003 Lyon`: a town ends the line. */
const TOWN_AFTER = /^ (?:\p{Lu}[\p{L}'’.-]{1,24} ?){1,3}(?: ?\d{1,2})?(?=$|[\n,)|·•])/u;
const MAX_POSTAL_DIGITS = 6;

/** A letter of a script with spaces: a digit beside it is part of its word. Thai to Myanmar and CJK run on. */
const SPACED_LETTER = String.raw`(?![\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\uffff])[\p{L}\p{M}_]`;
const LETTER_BEFORE = new RegExp(`${SPACED_LETTER}$`, 'u');
const LETTER_AFTER = new RegExp(`^${SPACED_LETTER}`, 'u');

/** What a number is when it is no code whatever the words say, and how that shows. The first that holds counts. */
export const CODE_EXCLUSIONS: readonly Exclusion<Surroundings>[] = [
  ['in-word', 'it is part of a word', (around) => around.touches && touchesLetter(around)],
  [
    'decimal',
    'it is part of a decimal number',
    (around) =>
      around.touches &&
      (/\d[.,'’]$/.test(around.before) || (/^[.,'’]\d/.test(around.after) && !isCodeBeforeComma(around))),
  ],
  [
    'time',
    'it is part of a time',
    ({ touches, before, after }) => touches && (/\d:$/.test(before) || /^:\d/.test(after)),
  ],
  [
    'in-date',
    'it is part of a date',
    ({ run, touches, before, after }) =>
      (touches && /\d[/.]$/.test(before)) ||
      /^(?:\/\d| ?[年년])/.test(after) ||
      (YEAR.test(run.value) && DAY_AFTER.test(after)),
  ],
  [
    'path',
    'it is part of a path',
    ({ touches, before, after }) => touches && (/[/\\]$/.test(before) || /^[/\\]\S/.test(after)),
  ],
  [
    'longer-number',
    'it is part of a longer number',
    ({ run, touches, before, after }) =>
      run.joint === 'hyphen' || run.joint === 'space' || (touches && isHyphenedNumber(before, after)),
  ],
  ['hyphened-word', 'it is hyphenated with a word', (around) => around.touches && isHyphenedWord(around)],
  [
    'host-or-mailbox',
    'it is part of a mail address or a host name',
    ({ touches, token }) => touches && isInHostOrMailbox(token.before, token.after),
  ],
  ['price', 'it is a price', ({ before, after }) => PRICE_BEFORE.test(before) || PRICE_AFTER.test(after)],
  ['measure', 'it is a measure', ({ after }) => MEASURE_AFTER.test(after)],
  [
    'duration',
    'it is a duration',
    (around) => beginsWithTimeUnit(around.after) && !(beginsWithSharedUnit(around.after) && isLedTo(around)),
  ],
  [
    'issue-number',
    'it is the number of an issue',
    ({ before, after }) => before.endsWith('(#') && after.startsWith(')'),
  ],
  ['phone', 'it is a phone number', ({ before }) => /(?:\+\(?|\+\d{1,3} ?\(?|\(\d{1,5}\) ?)$/.test(before)],
  ['masked', 'it is the end of a masked number', isMasked],
  [
    'house-number',
    'it is the house number of an address',
    ({ run, after }) => run.value.length <= MAX_HOUSE_NUMBER_DIGITS && STREET_AFTER.test(after),
  ],
  [
    'postal-code',
    'it is the postal code of an address',
    ({ run, before, after }) =>
      /, ?[A-Z]{2},? $/.test(before) ||
      (/, $/.test(before) && run.value.length <= MAX_POSTAL_DIGITS && TOWN_AFTER.test(after)),
  ],
];

/** What touches a number of a passage. */
export function surroundings(passage: Passage, run: NumberRun): Surroundings {
  const { text, lower, spans } = passage;
  const { start, end } = run.series;
  const touches = text.charCodeAt(start - 1) > SPACE || text.charCodeAt(end) > SPACE;
  return {
    passage,
    run,
    touches,
    begins: spans[firstAt(spans, run.start)]?.start === run.start,
    ends: spans[firstAt(spans, run.end) - 1]?.end === run.end,
    before: text.slice(Math.max(0, start - BEFORE_CHARS), start),
    after: text.slice(end, end + AFTER_CHARS),
    token: touches ? tokenAround(lower, start, end) : NO_TOKEN,
  };
}

const SPACE = 0x20;
const NO_TOKEN = { before: '', after: '' };

function touchesLetter({ before, after, begins, ends }: Surroundings): boolean {
  return (!begins && LETTER_BEFORE.test(before)) || (!ends && LETTER_AFTER.test(after));
}

/** After a comma without a space: a short number that begins the next clause, not an item of a list or a group. */
const CLAUSE_AFTER_COMMA = /^,\d{1,3}(?!\d|[.,'’]\d)/;
/** A word for a code stands no further before the code: `code for you is`. */
const MAX_LEAD_CHARS = 16;

/**
 * `验证码为559021,5分钟内有效`: a word for a code leads to no decimal number, so the comma ends a clause. Amounts are grouped or
 * bear a currency.
 */
function isCodeBeforeComma({ passage, run: { start, end, grouping }, after }: Surroundings): boolean {
  const clause = grouping === 'groups' ? null : CLAUSE_AFTER_COMMA.exec(after);
  if (clause === null || PRICE_AFTER.test(after.slice(clause[0].length))) return false;
  return wordLeadingTo(passage, { start, end }, MAX_LEAD_CHARS)?.role === 'code';
}

/** `Gunakan kode 482913 saat masuk`: this near, a word for a code or for entering it leads straight to a number. */
const MAX_STRAIGHT_CHARS = 6;

function isLedTo({ passage, run }: Surroundings): boolean {
  const role = wordLeadingTo(passage, run.series, MAX_STRAIGHT_CHARS)?.role;
  return role === 'code' || role === 'enter';
}

/** The last word before a part of the text, if no end of a clause and no number stands between. */
function wordLeadingTo(passage: Passage, { start, end }: Range, maxChars: number): Word | null {
  const last = passage.wordsIn(Math.max(0, start - maxChars - MAX_WORD_CHARS), end).at(-1);
  if (last === undefined || start - last.end > maxChars) return null;
  return /[.!?;。！？；\n\t\d]/.test(passage.text.slice(last.end, start)) ? null : last;
}

function tokenAround(text: string, start: number, end: number): Surroundings['token'] {
  const lowest = Math.max(0, start - MAX_TOKEN_CHARS);
  let from = start;
  while (from > lowest && text.charCodeAt(from - 1) > SPACE) from--;
  const highest = Math.min(text.length, end + MAX_TOKEN_CHARS);
  let to = end;
  while (to < highest && text.charCodeAt(to) > SPACE) to++;
  return { before: text.slice(from, start), after: text.slice(end, to) };
}

function isInHostOrMailbox(before: string, after: string): boolean {
  if (before.includes('://') || before.includes('www.') || before.includes('@')) return true;
  if (/^[\w.+-]{0,64}@/.test(after)) return true;
  const isPort = /(?:^|[^\w.-])(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):$/.test(before);
  const isFileName =
    /^\.(?:pdf|png|jpe?g|gif|zip|csv|xlsx?|docx?|txt|html?|php|js|css|eml|ics|log|mp[34]|gz|json|xml)(?!\w)/.test(
      after,
    );
  return isPort || isFileName;
}

/**
 * Hyphened to a word, unless that is a word for a code (`OTP-482913`), or one or two letters that say who sent it
 * (`G-482913`).
 */
function isHyphenedWord(around: Surroundings): boolean {
  const { before, after } = around.token;
  if (/^-[^\W\d_]/.test(after)) return !isDeclined(around);
  return /[^\W\d_]-$/.test(before) && !/^\W*[a-z]{1,2}-$/.test(before) && !isCodeHyphened(around);
}

function isCodeHyphened({ passage, run: { series }, token }: Surroundings): boolean {
  if (!/^[^\p{L}\d]*\p{L}+-$/u.test(token.before)) return false;
  const word = wordLeadingTo(passage, series, 1);
  return word !== null && word.role === 'code' && word.start >= series.start - token.before.length;
}

/** `a 482913-as kód`: in some languages a hyphen and a few letters decline a number, before the word for a code. */
const DECLENSION = /^-\p{L}{1,4} /u;

function isDeclined({ passage, run, after }: Surroundings): boolean {
  const ending = DECLENSION.exec(after);
  if (ending === null) return false;
  const start = run.series.end + ending[0].length;
  const word = passage.wordsIn(start, start + MAX_WORD_CHARS)[0];
  return word?.role === 'code' && word.start === start;
}

function isHyphenedNumber(before: string, after: string): boolean {
  return /\d[-‐‑–]$/.test(before) || /^[-‐‑–]\d/.test(after);
}

/** What hides the beginning of a number, or leads to it. */
const MARKS_BEFORE = /(?:[*•·×]{2,}|\.{4,})[ -]?$/;
/** `** 4829 **`, and in Markdown `**4829**`. */
const MARKS_AFTER = /^(?:\*| ?[*•·×]{2})/;
/** No line of a table has more dots. */
const MAX_LEADER_CHARS = 72;

/**
 * `•••• 4242`, `**** 4242` or `.... 4242`; not what stands between two rows of such marks, nor what dots lead to from
 * a word for a code: `Code ........ 482913`.
 */
function isMasked({ before, after, passage, run }: Surroundings): boolean {
  const marks = MARKS_BEFORE.exec(before)?.[0];
  if (marks === undefined) return false;
  return marks.startsWith('.') ? !isLedByDots(passage, run.series.start) : !MARKS_AFTER.test(after);
}

function isLedByDots(passage: Passage, start: number): boolean {
  const { text } = passage;
  const lowest = Math.max(0, start - MAX_LEADER_CHARS);
  let end = start;
  while (end > lowest && '. -'.includes(text[end - 1] as string)) end--;
  const word = passage.wordsIn(Math.max(0, end - MAX_WORD_CHARS), end).at(-1);
  return word?.role === 'code' && word.end === end;
}
