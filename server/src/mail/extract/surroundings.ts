import type { Passage } from './content.js';
import type { NumberRun } from './numbers.js';

/** What a number is a part of, by what touches it. */
export type PartOf =
  | 'word'
  | 'decimal'
  | 'time'
  | 'date'
  | 'price'
  | 'percentage'
  | 'hash'
  | 'phone'
  | 'address'
  | 'path'
  | 'series';

/** Tokens that hold a number are looked at this far to either side. */
const MAX_TOKEN_CHARS = 100;

const CURRENCY_BEFORE =
  /(?:[$€£¥₹₽₩₺₴₫฿₪]|\b(?:usd|eur|gbp|chf|inr|jpy|cny|rmb|rp|rs|r\$|kr|sek|nok|dkk|pln|czk|huf|ron|try|aud|cad|sgd|myr|rm))[ .]?$/;
const CURRENCY_AFTER =
  /^ ?(?:[$€£¥₹₽₩₺₴₫฿₪元円원]|(?:usd|eur|gbp|chf|inr|jpy|cny|rmb|kr|sek|nok|dkk|pln|zł|czk|kč|huf|ft|ron|lei|try|tl|руб|грн|лв|aud|cad)(?![a-z]))/;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Letters of scripts that put spaces between words: there a letter beside a digit makes them one word. */
function isSpacedLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f;
  return (
    (code >= 0xc0 && code <= 0x0dff && code !== 0xd7 && code !== 0xf7 && code !== 0x060c && code !== 0x0964) ||
    (code >= 0x1e00 && code <= 0x1fff)
  );
}

/** What stands before a number up to the last white space, and after it up to the next. */
function tokenAround(text: string, start: number, end: number): { before: string; after: string } {
  let from = start;
  const lowest = Math.max(0, start - MAX_TOKEN_CHARS);
  while (from > lowest && text.charCodeAt(from - 1) > 0x20) from--;
  let to = end;
  const highest = Math.min(text.length, end + MAX_TOKEN_CHARS);
  while (to < highest && text.charCodeAt(to) > 0x20) to++;
  return { before: text.slice(from, start), after: text.slice(end, to) };
}

function isInAddress(before: string, after: string): boolean {
  if (before.includes('://') || before.startsWith('www.') || before.includes('@')) return true;
  if (/^[\w.+-]*@/.test(after)) return true;
  return /(?:^|[^\w.-])(?:localhost|[\w-]+(?:\.[\w-]+)+):$/.test(before) || /^\.[a-z]/i.test(after);
}

/** What a number is a part of, or null when it stands for itself. */
export function partOf(passage: Passage, run: NumberRun): PartOf | null {
  const { lower } = passage;
  const before = lower.charCodeAt(run.start - 1);
  const after = lower.charCodeAt(run.end);
  const token = tokenAround(lower, run.start, run.end);
  if (isInAddress(token.before, token.after)) return 'address';
  if (isSpacedLetter(before) || isSpacedLetter(after)) return 'word';
  const lead = lower.slice(Math.max(0, run.start - 6), run.start);
  const tail = lower.slice(run.end, run.end + 6);
  if (CURRENCY_BEFORE.test(lead) || CURRENCY_AFTER.test(tail)) return 'price';
  if (/^ ?[%‰]/.test(tail)) return 'percentage';
  if (/\d[.,'’]$/.test(lead) || /^[.,'’]\d/.test(tail)) return 'decimal';
  if (/\d:$/.test(lead) || /^:\d/.test(tail)) return 'time';
  if (/\+(?:\d|\()?[\d() -]*$/.test(lead)) return 'phone';
  if (/[\d\w)][/\\]$|[/\\]$/.test(lead) || /^[/\\][\w]/.test(tail))
    return /\d[/\\]$/.test(lead) || /^[/\\]\d/.test(tail) ? 'date' : 'path';
  if (/#$/.test(lead)) return 'hash';
  if (/[a-z]-$/.test(lead) && !isPrefixed(token.before)) return 'word';
  if (/^-[a-z]/.test(tail)) return 'word';
  if (run.series === 'hyphened') return 'series';
  if (isDigit(before) || isDigit(after)) return 'series';
  return null;
}

/** `G-482913`: one or two letters that say who sent it. */
export function isPrefixed(before: string): boolean {
  return /(?:^|[^\w-])[a-z]{1,2}-$/i.test(before);
}
