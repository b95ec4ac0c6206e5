import type { Range } from '../text/lines.js';
import type { NumberRun } from './numbers.js';

export interface Shape {
  readonly hasDigit: boolean;
  /** In groups of equal size, apart by a hyphen or a space. */
  readonly grouped: boolean;
  /** It holds what reads like a word: a capitalized one, four letters beside digits, or groups that can be spoken. */
  readonly wordy: boolean;
  /** Digits alone, more of them than a number that may be the `otp`. */
  readonly long: boolean;
  /** In groups that differ in size. */
  readonly uneven: boolean;
}

/** Letters, or letters and digits, in a text that may be a code. Its value is what one types. */
export interface LetterRun extends NumberRun {
  readonly shape: Shape;
}

/** Most runs of a text that are considered. */
export const MAX_RUNS = 200;

/** Fewer or more characters are no code: shorter ones are words like 2FA, longer ones keys and digests. */
const MIN_CHARS = 4;
const MAX_CHARS = 12;

/** In groups a code may have more. */
const MIN_GROUP_CHARS = 3;
const MAX_GROUP_CHARS = 6;
const MAX_GROUPS = 4;
const MAX_GROUPED_CHARS = 20;

/** Digits of a code that is longer than the `otp` may be, groups together. */
const MIN_LONG_DIGITS = 9;
const MAX_LONG_DIGITS = 12;

/** Groups that differ in size are capitals and digits, such as WQHB-7T. */
const UNEVEN = /^[A-Z\d]{2,6}(?:-[A-Z\d]{2,6}){1,3}$/;
const MIN_UNEVEN_CHARS = 5;

const MIN_SINGLES = 5;
const MAX_SINGLES = 10;

/** Letters and digits with hyphens in between; more groups than a code has make it longer than one. */
const TOKEN = /[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*/g;

/** What stands between characters that are set one by one, or between two groups. */
const BLANK = /^[ \t\u00a0\u2009\u202f]{1,3}$/;
const SINGLES_APART = /^\s{1,3}$/;

/** A day, a time, an ordinal number or a quantity: `22NOV2026`, `10AM`, `21st`, `512MB`. */
const QUANTITY =
  /^(?:\d{1,2}(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\d{0,4}|\d{1,4}[ap]m|\d+(?:st|nd|rd|th|er|e|x|px|pt|k|m|g|t|[kmgt]i?b|[kmgt]?bps|ms|s|secs?|mins?|h|hrs?|hours?|days?|weeks?|usd|eur|gbp|chf|w|wh|mah|kwh|hz|[kmg]hz|kg|km|cm|mm|ml|dpi|fps))$/i;

interface Token extends Range {
  readonly text: string;
}

/** Finds what may be a code with letters, in order, except within the given parts (web addresses, in order). Linear. */
export function findLetterRuns(text: string, without: readonly Range[]): LetterRun[] {
  const found: LetterRun[] = [];
  const tokens = tokensOf(text, without);
  for (let at = 0; at < tokens.length && found.length < MAX_RUNS; ) {
    const series = seriesFrom(text, tokens, at);
    const run = series.length > 1 ? joinedRun(series) : runOf(tokens[at] as Token);
    if (run !== null) found.push(run);
    at += series.length;
  }
  return found;
}

function tokensOf(text: string, without: readonly Range[]): Token[] {
  const tokens: Token[] = [];
  let passed = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    while (passed < without.length && (without[passed] as Range).end <= index) passed++;
    if ((without[passed]?.start ?? text.length) <= index) continue;
    tokens.push({ text: token, start: index, end: index + token.length });
  }
  return tokens;
}

/** The tokens from a place on that make one code: single characters, or groups of equal size; or it alone. */
function seriesFrom(text: string, tokens: readonly Token[], from: number): Token[] {
  const first = tokens[from] as Token;
  const isSingle = /^[A-Z0-9]$/.test(first.text);
  if (!isSingle && !isGroup(first.text)) return [first];
  const series = [first];
  const apart = isSingle ? SINGLES_APART : BLANK;
  for (let last = first, at = from + 1; at < tokens.length; at++) {
    const next = tokens[at] as Token;
    const belongs = isSingle
      ? /^[A-Z0-9]$/.test(next.text)
      : isGroup(next.text) && isMixed(next.text) === isMixed(first.text);
    if (!belongs || next.text.length !== first.text.length || next.start - last.end > 3) break;
    if (!apart.test(text.slice(last.end, next.start))) break;
    series.push(next);
    last = next;
  }
  return series;
}

/** Digits, or capitals with digits, of a group's size: two words of capitals are just two words. */
function isGroup(token: string): boolean {
  return token.length >= MIN_GROUP_CHARS && token.length <= MAX_GROUP_CHARS && /^(?=[A-Z]*\d)[A-Z0-9]+$/.test(token);
}

function isMixed(token: string): boolean {
  return /\d/.test(token) && /[A-Za-z]/.test(token);
}

function joinedRun(series: readonly Token[]): LetterRun | null {
  const texts = series.map(({ text }) => text);
  const isSingle = texts[0]?.length === 1;
  const value = texts.join(isSingle ? '' : ' ');
  if (isSingle ? texts.length < MIN_SINGLES || texts.length > MAX_SINGLES : texts.length > MAX_GROUPS) return null;
  if (!/[A-Z]/.test(value) && !isLong(texts)) return null;
  const range = { start: (series[0] as Token).start, end: (series.at(-1) as Token).end };
  const grouping = isSingle ? 'digits' : 'groups';
  return { value, ...range, grouping, series: range, joint: null, shape: shapeOf(isSingle ? [value] : texts) };
}

/** What a token is as a code, or null where it is none by its looks. */
function runOf({ text, start, end }: Token): LetterRun | null {
  const groups = text.split('-');
  if (!/[A-Za-z]/.test(text)) {
    if (!isLong(groups)) return null;
  } else if (text.length < MIN_CHARS || QUANTITY.test(text)) return null;
  else if (!(groups.length === 1 ? isAlone(text) : areGroups(groups))) return null;
  const grouping = groups.length === 1 ? 'none' : 'groups';
  return { value: text, start, end, grouping, series: { start, end }, joint: null, shape: shapeOf(groups) };
}

/** Digits alone, in one run or in groups of equal size. */
function isLong(groups: readonly string[]): boolean {
  const value = groups.join('');
  if (!/^\d+$/.test(value) || value.length < MIN_LONG_DIGITS || value.length > MAX_LONG_DIGITS) return false;
  const size = groups[0]?.length ?? 0;
  return groups.length === 1 || (size >= MIN_GROUP_CHARS && groups.every((group) => group.length === size));
}

/** Without groups: letters with digits, or capitals alone. Small letters, with or without a capital, are a word. */
function isAlone(token: string): boolean {
  return token.length <= MAX_CHARS && (isMixed(token) || /^[A-Z]+$/.test(token) || /[a-z][A-Z]/.test(token));
}

function areGroups(groups: readonly string[]): boolean {
  const size = groups[0]?.length ?? 0;
  if (isUneven(groups)) return UNEVEN.test(groups.join('-')) && groups.join('').length >= MIN_UNEVEN_CHARS;
  if (groups.length > MAX_GROUPS || size < MIN_GROUP_CHARS || size > MAX_GROUP_CHARS) return false;
  if (size * groups.length > MAX_GROUPED_CHARS) return false;
  // Two words of small letters and a hyphen are just two words (read-only, real-time), unless one cannot be spoken.
  return (
    groups.length > 2 ||
    !groups.every((group) => /^[a-z]+$/i.test(group) && group !== group.toUpperCase()) ||
    !groups.every(canBeSpoken)
  );
}

function isUneven(groups: readonly string[]): boolean {
  return groups.some((group) => group.length !== groups[0]?.length);
}

function shapeOf(groups: readonly string[]): Shape {
  const value = groups.join('');
  const hasDigit = /\d/.test(value);
  return {
    hasDigit,
    grouped: groups.length > 1,
    long: /^\d+$/.test(value),
    uneven: isUneven(groups),
    wordy: hasDigit
      ? /[A-Z][a-z]{2,}|[a-z]{4,}|[A-Z]{4,}/.test(groups.join('-'))
      : groups.every(canBeSpoken) && (groups.length === 1 || groups.every((group) => /[aeiouy]/i.test(group))),
  };
}

/** A vowel in any four letters: few that were drawn by chance have that, and nearly all words. */
function canBeSpoken(letters: string): boolean {
  return !/[^aeiouy]{4}/i.test(letters);
}
