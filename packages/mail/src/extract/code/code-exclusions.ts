import { SHARED_UNITS, TIME_UNITS } from '../../words/words.js';
import type { Exclusion } from '../score.js';
import { firstAt, type Range } from '../text/lines.js';
import type { Passage } from '../text/passages.js';
import { MAX_WORD_CHARS, type Word } from '../words/lexicon.js';
import type { NumberRun } from './numbers.js';

export type Surroundings = ReturnType<typeof surroundings>;

/** Maximum number of characters to check before a number. Small, because expressions that end in `$` are slow. */
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
const MEASURE_AFTER =
  /^ ?(?:[KMGTkmgt]i?[Bb]|[kKMG]?bps|bytes|px|[mµμn]s|[kcm]?m|k?g|mAh|k[WV]h?|[kMG]?Hz|rpm|dpi|°[CF]?)(?![\p{L}])/u;
/** Seconds and hours at the end of a clause. In Czech and other languages, "s" also means "with": `482913 s platností`. */
const SECONDS_AFTER = /^ ?[sh](?=\s*(?:$|[\n.,;:!?)\]]))/;

/** Examples: `48.29`, `10:4829`, `27/2026`, `path/4829`, `(#4829`. */
const FIGURE_BEFORE = /(?:\d[.,'’:/]|[/\\]|\(#)$/;
const FIGURE_AFTER = /^(?:[.,'’:]\d|[/\\]\S)/;

/** Example: `2261 Market Street`. */
const STREET_AFTER =
  /^ (?:[A-Z][\w.'-]{0,20} ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Parkway|Pkwy)\b/;
const MAX_HOUSE_NUMBER_DIGITS = 5;
/** Example: `Rue des Lilas 12, 69003 Lyon`, where a town ends the line. */
const TOWN_AFTER = /^ (?:\p{Lu}[\p{L}'’.-]{1,24} ?){1,3}(?: ?\d{1,2})?(?=$|[\n,)|·•])/u;
const MAX_POSTAL_DIGITS = 6;

/** Letters of scripts with spaces between words, so not Thai or Chinese. A digit next to such a letter is in a word. */
const SPACED_LETTER = String.raw`(?![\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\uffff])[\p{L}\p{M}_]`;
const LETTER_BEFORE = new RegExp(`${SPACED_LETTER}$`, 'u');
const LETTER_AFTER = new RegExp(`^${SPACED_LETTER}`, 'u');

/** Why a number is not a code, whatever the words around it. The first match counts. */
export const CODE_EXCLUSIONS: readonly Exclusion<Surroundings>[] = [
  ['in-word', 'it is part of a word', (around) => around.touches && touchesLetter(around)],
  [
    'in-figure',
    'it is part of a decimal number, a time, a date or a path',
    (around) => around.touches && isInFigure(around),
  ],
  ['year', 'it is the year of a date or a copyright notice', isYear],
  ['longer-number', 'it is part of a longer number', ({ run }) => run.isPart],
  ['hyphened-word', 'a hyphen joins it to a word', (around) => around.touches && isHyphenedWord(around)],
  ['host-or-mailbox', 'it is part of a host name or email address', (a) => a.touches && isInHostOrMailbox(a)],
  ['price', 'it is a price', ({ before, after }) => PRICE_BEFORE.test(before) || PRICE_AFTER.test(after)],
  ['measure', 'it is a measurement', ({ after }) => MEASURE_AFTER.test(after) || SECONDS_AFTER.test(after)],
  ['duration', 'it is a duration', isDuration],
  ['phone', 'it is a phone number', ({ before }) => /(?:\+\(?|\+\d{1,3} ?\(?|\(\d{1,5}\) ?)$/.test(before)],
  ['masked', 'it is the end of a masked number', isMasked],
  ['in-address', 'it is the house number or the postal code of an address', isInAddress],
];

export const LETTER_EXCLUSIONS: readonly Exclusion<Surroundings>[] = [
  ['rest-of-address', 'it is the end of a link that a line break split', isRestOfAddress],
  ...CODE_EXCLUSIONS,
];

/** Maximum distance from a cut address to its rest: room for a line break and quotation marks such as "> ". */
const MAX_BREAK_CHARS = 8;

function isRestOfAddress({ passage: { urls, text }, run: { start }, before }: Surroundings): boolean {
  if (/[=&?%/]$/.test(before)) return true;
  const address = urls[firstAt(urls, start) - 1];
  if (!address?.isCut || start - address.end > MAX_BREAK_CHARS) return false;
  return /^[\s>&=?]*$/.test(text.slice(address.end, start));
}

/** Examples: `2026. december 5.`, `2026. gada 5. decembrī`, `2026 m. gruodžio 5 d.`. */
const DAY_AFTER = /^(?:\. ?| \p{L}{1,2}\. ?)\p{Ll}{1,15}\.? \d{1,2}(?!\d)/u;

function isYear({ run, before, after }: Surroundings): boolean {
  if (/^ ?[年년]/.test(after)) return true;
  if (!/^(?:(?:19|20)\d\d){1,2}$/.test(run.value)) return false;
  return /(?:©|\(c\)) ?$/i.test(before) || /^ ?(?:©|\(c\))/i.test(after) || DAY_AFTER.test(after);
}

function isInAddress({ run: { value }, before, after }: Surroundings): boolean {
  if (value.length <= MAX_HOUSE_NUMBER_DIGITS && STREET_AFTER.test(after)) return true;
  if (/, ?[A-Z]{2},? $/.test(before)) return true;
  return /, $/.test(before) && value.length <= MAX_POSTAL_DIGITS && TOWN_AFTER.test(after);
}

export function surroundings(passage: Passage, run: NumberRun) {
  const { text } = passage;
  const { start, end } = run.series;
  const touches = text.charCodeAt(start - 1) > SPACE || text.charCodeAt(end) > SPACE;
  return {
    passage,
    run,
    /** Whether a character other than white space is next to the number. If none is, most rules are skipped. */
    touches,
    /** The text before the number or, if the number is one of several joined groups, before all of them. */
    before: text.slice(Math.max(0, start - BEFORE_CHARS), start),
    after: text.slice(end, end + AFTER_CHARS),
  };
}

const SPACE = 0x20;

/** Whether a letter touches the number, and no HTML element begins or ends between the two. */
function touchesLetter({ before, after, passage: { spans }, run: { start, end } }: Surroundings): boolean {
  if (LETTER_BEFORE.test(before) && spans[firstAt(spans, start)]?.start !== start) return true;
  return LETTER_AFTER.test(after) && spans[firstAt(spans, end) - 1]?.end !== end;
}

/** A comma that may end a clause. If a longer number follows, the comma separates list items or groups of digits. */
const CLAUSE_AFTER_COMMA = /^,\d{1,3}(?!\d|[.,'’]\d)/;
/** Room for a text such as `code for you is` before a number. */
const MAX_LEAD_CHARS = 16;

/**
 * Whether a number is in a decimal, a date or a path. False in `验证码为559021,5分钟内有效`: a code has no decimals, so after a
 * word for a code, the comma ends a clause. Other rules exclude amounts.
 */
function isInFigure({ passage, run, before, after }: Surroundings): boolean {
  if (FIGURE_BEFORE.test(before)) return true;
  if (!FIGURE_AFTER.test(after)) return false;
  return !CLAUSE_AFTER_COMMA.test(after) || wordLeadingTo(passage, run, MAX_LEAD_CHARS)?.role !== 'code';
}

/** A word at most this far from a number refers to the number, as in `Gunakan kode 482913 saat masuk`. */
const MAX_STRAIGHT_CHARS = 6;

function isDuration({ passage, run: { series } }: Surroundings): boolean {
  const unit = unitAfter(passage.lower.slice(series.end, series.end + AFTER_CHARS));
  // After a word for a code, a unit such as Turkish `saat` (hours) may be another word: Indonesian `saat` (when).
  if (unit === null || !SHARED_UNITS.includes(unit)) return unit !== null;
  const role = wordLeadingTo(passage, series, MAX_STRAIGHT_CHARS)?.role;
  return role !== 'code' && role !== 'enter';
}

const UNITS = new Set([...TIME_UNITS, ...SHARED_UNITS]);
const MAX_UNIT_CHARS = Math.max(...[...UNITS].map((unit) => unit.length));

/** The unit of time after a number, which makes it a duration (`minutes`, ` std.`, `-day`), or null. */
function unitAfter(after: string): string | null {
  const word = /^[ \u00a0-]?([\p{L}\p{M}]+)/u.exec(after)?.[1] ?? '';
  if (UNITS.has(word)) return word;
  for (let end = Math.min(word.length, MAX_UNIT_CHARS); end > 0; end--) {
    const beginning = `${word.slice(0, end)}*`;
    if (UNITS.has(beginning)) return beginning;
  }
  return null;
}

/** The last word before a range, or null if a number or the end of a clause is between the two. */
function wordLeadingTo(passage: Passage, { start, end }: Range, maxChars: number): Word | null {
  const last = passage.wordsIn(Math.max(0, start - maxChars - MAX_WORD_CHARS), end).at(-1);
  if (last === undefined || start - last.end > maxChars) return null;
  return /[.!?;。！？；\n\t\d]/.test(passage.text.slice(last.end, start)) ? null : last;
}

/** The text between a number and the nearest white space on each side, in lower case. */
function tokensAround({ passage: { lower }, run: { series } }: Surroundings): [before: string, after: string] {
  const before = lower.slice(Math.max(0, series.start - MAX_TOKEN_CHARS), series.start).split(/[\0- ]/);
  const [after = ''] = lower.slice(series.end, series.end + MAX_TOKEN_CHARS).split(/[\0- ]/, 1);
  return [before.at(-1) ?? '', after];
}

const PORT = /(?:^|[^\w.-])(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):$/;
const FILE_NAME =
  /^\.(?:pdf|png|jpe?g|gif|zip|csv|xlsx?|docx?|txt|html?|php|js|css|eml|ics|log|mp[34]|gz|json|xml)(?!\w)/;

function isInHostOrMailbox(around: Surroundings): boolean {
  const [before, after] = tokensAround(around);
  return /:\/\/|www\.|@/.test(before) || /^[\w.+-]{0,64}@/.test(after) || PORT.test(before) || FILE_NAME.test(after);
}

/** Whether a hyphen joins a number to a word. False for `OTP-482913`, and after a sender's initials (`G-482913`). */
function isHyphenedWord(around: Surroundings): boolean {
  const { passage, run, after } = around;
  if (/^-[A-Za-z]/.test(after)) return !isDeclined(passage, run.series.end, after);
  const [before] = tokensAround(around);
  if (!/[^\W\d_]-$/.test(before) || /^\W*[a-z]{1,2}-$/.test(before)) return false;
  return wordLeadingTo(passage, run.series, 1)?.role !== 'code';
}

/** Some languages inflect a number with a hyphen and letters, followed by the word for a code: `a 482913-as kód`. */
const DECLENSION = /^-\p{L}{1,4} /u;

function isDeclined(passage: Passage, end: number, after: string): boolean {
  const start = end + (DECLENSION.exec(after)?.[0].length ?? 0);
  return start > end && passage.wordsIn(start, start + MAX_WORD_CHARS)[0]?.role === 'code';
}

/** Characters that mask the start of a number, and dots that lead from a word to the number. */
const MARKS_BEFORE = /(?:[*•·×]{2,}|\.{4,})[ -]?$/;
/** Marks after a number. Marks on both sides emphasize a number and do not mask it: `** 4829 **` or Markdown. */
const MARKS_AFTER = /^(?:\*| ?[*•·×]{2})/;
/** Maximum length of a row of dots between a word and its number. */
const MAX_LEADER_CHARS = 72;

/**
 * Whether a number is masked, as in `•••• 4242`, `**** 4242` or `.... 4242`. False for a number between two rows of
 * such characters, or if dots lead to the number from a word for a code: `Code ........ 482913`.
 */
function isMasked({ before, after, passage, run }: Surroundings): boolean {
  const marks = MARKS_BEFORE.exec(before)?.[0];
  if (marks === undefined) return false;
  return marks.startsWith('.') ? !isLedByDots(passage, run.series.start) : !MARKS_AFTER.test(after);
}

function isLedByDots(passage: Passage, start: number): boolean {
  const before = passage.text.slice(Math.max(0, start - MAX_LEADER_CHARS), start).split(/[^. -]/);
  const end = start - (before.at(-1) ?? '').length;
  return wordLeadingTo(passage, { start: end, end }, 0)?.role === 'code';
}
