import { type Range, rangeAt } from '../text/lines.js';
import type { NumberRun } from './numbers.js';

/** A run of letters, or of letters and digits, that may be a code. The value is what a reader types. */
export interface LetterRun extends NumberRun {
  readonly shape: ReturnType<typeof shapeOf>;
}

export const MAX_RUNS = 200;

/** Shorter runs are usually words such as 2FA, longer ones keys and digests. */
const MIN_CHARS = 4;
const MAX_CHARS = 12;

/** A code written with a space between its characters. */
const SPELLED = /^(?=.*[A-Z]).{5,10}$/;

/** A code with more digits than `otp` allows. */
const LONG = /^\d{9,12}$/;

/** Groups of equal size, up to 20 characters in total, or capitals and digits in uneven groups, such as WQHB-7T. */
const EQUAL = /^(?:\w{3}(?:\W\w{3}){1,3}|\w{4}(?:\W\w{4}){1,3}|\w{5}(?:\W\w{5}){1,3}|\w{6}(?:\W\w{6}){1,2})$/;
const UNEVEN = /^(?=.{6})[A-Z\d]{2,6}(?:-[A-Z\d]{2,6}){1,3}$/;

const ENDS = '(?![A-Za-z0-9-])';
const BLANKS = String.raw`[ \t\u00a0\u2009\u202f]{1,3}`;
const SPACED_GROUPS = [3, 4, 5, 6].map((size) => {
  const group = String.raw`(?=[A-Z]{0,5}\d)[A-Z\d]{${size}}${ENDS}`;
  return `${group}(?:${BLANKS}${group})+`;
});

/** Matches spaced single characters, spaced groups of capitals and digits, or letters and digits with hyphens. */
const RUN = new RegExp(
  String.raw`(?<![A-Za-z0-9-])(?:[A-Z\d](?:\s{1,3}[A-Z\d]${ENDS}){4,}|${SPACED_GROUPS.join('|')})|[A-Za-z\d]+(?:-[A-Za-z\d]+)*`,
  'g',
);

/** Days, times, ordinal numbers and quantities: `22NOV2026`, `10AM`, `21st`, `512MB`. */
const QUANTITY =
  /^(?:\d{1,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\d{0,4}|\d{1,4}[ap]m|\d+(?:st|nd|rd|th|er|e|x|px|pt|k|m|g|t|[kmgt]i?b|[kmgt]?bps|ms|s|secs?|mins?|h|hrs?|hours?|days?|weeks?|usd|eur|gbp|chf|w|wh|mah|kwh|hz|[kmg]hz|kg|km|cm|mm|ml|dpi|fps))$/i;

/** Finds possible codes with letters, in order, except in the ranges `without` (web addresses). Linear time. */
export function findLetterRuns(text: string, without: readonly Range[]): LetterRun[] {
  const found: LetterRun[] = [];
  for (const { 0: written, index } of text.matchAll(RUN)) {
    const run = rangeAt(without, index) === undefined ? runOf(written, index) : null;
    if (run !== null) found.push(run);
    if (found.length === MAX_RUNS) break;
  }
  return found;
}

function runOf(written: string, start: number): LetterRun | null {
  const groups = written.split(/[^A-Za-z\d]+/);
  const isSpelled = groups.length > 1 && groups.every(({ length }) => length === 1);
  const parts = isSpelled ? [groups.join('')] : groups;
  const value = parts.join(written.includes('-') ? '-' : ' ');
  if (!(isSpelled ? SPELLED.test(value) : mayBeCode(value, parts))) return null;
  const series = { start, end: start + written.length };
  const grouping = isSpelled ? 'digits' : parts.length > 1 ? 'groups' : 'none';
  return { value, ...series, grouping, series, isPart: false, shape: shapeOf(parts) };
}

function mayBeCode(value: string, groups: readonly string[]): boolean {
  const joined = groups.join('');
  if (!/[A-Za-z]/.test(value)) return LONG.test(joined) && (groups.length === 1 || EQUAL.test(value));
  if (groups.length > 1) {
    if (isUneven(groups)) return UNEVEN.test(value);
    // Two groups that can be pronounced and have small letters are words (`read-only`).
    const areWords = groups.every((group) => /[a-z]/.test(group) && !/\d/.test(group) && canBeSpoken(group));
    return EQUAL.test(value) && !(areWords && groups.length === 2);
  }
  if (value.length < MIN_CHARS || value.length > MAX_CHARS || QUANTITY.test(value)) return false;
  // Small letters alone, or after an initial capital, are a word and not a code.
  return /\d|[a-z][A-Z]|^[A-Z]+$/.test(value);
}

function isUneven(groups: readonly string[]): boolean {
  return groups.some((group) => group.length !== groups[0]?.length);
}

function shapeOf(groups: readonly string[]) {
  const value = groups.join('');
  const hasDigit = /\d/.test(value);
  return {
    hasDigit,
    grouped: groups.length > 1,
    /** Whether the run looks like a word: a capitalized part, four letters in a row, or groups that can be spoken. */
    wordy: hasDigit
      ? /[A-Z][a-z]{2,}|[a-z]{4,}|[A-Z]{4,}/.test(groups.join('-'))
      : groups.every(canBeSpoken) && (groups.length === 1 || groups.every((group) => /[aeiouy]/i.test(group))),
    /** Only digits, more than `otp` allows. */
    long: /^\d+$/.test(value),
    uneven: isUneven(groups),
  };
}

/** Whether every four letters in a row include a vowel, as in nearly all words but few random codes. */
function canBeSpoken(letters: string): boolean {
  return !/[^aeiouy]{4}/i.test(letters);
}
