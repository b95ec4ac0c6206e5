import { firstAt, type Passage } from './content.js';
import type { NumberRun } from './numbers.js';

/** What touches a number. */
interface Surroundings {
  readonly run: NumberRun;
  /** The text before the number (before all that is joined to it), in the case it is written in. */
  readonly before: string;
  readonly after: string;
  /** What stands between the number and the white space around it, in lower case. */
  readonly token: { readonly before: string; readonly after: string };
}

/** So much text before and after a number is looked at. */
const NEIGHBOUR_CHARS = 12;
/** A token is looked at this far to either side. */
const MAX_TOKEN_CHARS = 100;

const CURRENCY =
  '[$€£¥₹₽₩₺₴₫฿₪₱₦]|(?:USD|EUR|GBP|CHF|INR|JPY|CNY|RMB|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|AUD|CAD|SGD|MYR|BRL|MXN|ZAR|KRW)';
const PRICE_BEFORE = new RegExp(`(?:${CURRENCY}|\\b(?:Rs|RM|Rp|R\\$|[Kk]r))[ .\\u00a0]?$`);
const PRICE_AFTER = new RegExp(
  `^[ \\u00a0]?(?:(?:${CURRENCY}|[Kk]r|zł|Kč|Ft|[Ll]ei|TL|руб|грн|лв)(?![\\p{L}])|[元円원])`,
  'u',
);
const MEASURE_AFTER = /^ ?(?:[KMGTkmgt]i?[Bb]|px|ms|[kcm]?m|k?g|mAh|kWh|[kMG]?Hz|dpi|°[CF]?)(?![\p{L}])/u;

/** What a number is when it is no code whatever is said around it, and how that shows. The first that holds counts. */
const EXCLUSIONS: readonly { readonly text: string; holds(around: Surroundings): boolean }[] = [
  {
    text: 'it is part of a mail address or a host name',
    holds: ({ token }) => isInHostOrMailbox(token.before, token.after),
  },
  { text: 'it is part of a word', holds: ({ before, after }) => endsInLetter(before) || beginsWithLetter(after) },
  { text: 'it is hyphened to a word', holds: ({ token }) => isHyphened(token.before, token.after) },
  {
    text: 'it is part of a longer number',
    holds: ({ run, before, after }) => run.joint === 'hyphen' || /\d[-‐‑–]$/.test(before) || /^[-‐‑–]\d/.test(after),
  },
  { text: 'it is a price', holds: ({ before, after }) => PRICE_BEFORE.test(before) || PRICE_AFTER.test(after) },
  { text: 'it is a percentage', holds: ({ after }) => /^ ?[%‰]/.test(after) },
  { text: 'it is a measure', holds: ({ after }) => MEASURE_AFTER.test(after) },
  {
    text: 'it is part of a decimal number',
    holds: ({ before, after }) => /\d[.,'’]$/.test(before) || /^[.,'’]\d/.test(after),
  },
  { text: 'it is part of a time', holds: ({ before, after }) => /\d:$/.test(before) || /^:\d/.test(after) },
  {
    text: 'it is part of a date',
    holds: ({ before, after }) => /\d[/.]$/.test(before) || /^[/]\d/.test(after) || /^ ?[年년]/.test(after),
  },
  { text: 'it is part of a path', holds: ({ before, after }) => /[/\\]$/.test(before) || /^[/\\]\S/.test(after) },
  { text: 'it is a phone number', holds: ({ before }) => /(?:\+\(?|\+\d{1,3} ?\(?|\(\d{1,5}\) ?)$/.test(before) },
  {
    text: 'it is the end of a masked number',
    holds: ({ before, after }) => /(?:[*•·×]{2,}|\.{4,})[ -]?$/.test(before) && !after.startsWith('*'),
  },
];

/** Why a number of a passage is no code whatever is said around it, or null when it may be one. */
export function exclusionOf(passage: Passage, run: NumberRun): string | null {
  const { text, lower } = passage;
  const address = passage.urls[firstAt(passage.urls, run.start) - 1];
  if (address !== undefined && run.start < address.end) return 'it is part of a web address';
  const around: Surroundings = {
    run,
    before: text.slice(Math.max(0, run.series.start - NEIGHBOUR_CHARS), run.series.start),
    after: text.slice(run.series.end, run.series.end + NEIGHBOUR_CHARS),
    token: tokenAround(lower, run.series.start, run.series.end),
  };
  return EXCLUSIONS.find(({ holds }) => holds(around))?.text ?? null;
}

function tokenAround(text: string, start: number, end: number): Surroundings['token'] {
  const lowest = Math.max(0, start - MAX_TOKEN_CHARS);
  let from = start;
  while (from > lowest && text.charCodeAt(from - 1) > 0x20) from--;
  const highest = Math.min(text.length, end + MAX_TOKEN_CHARS);
  let to = end;
  while (to < highest && text.charCodeAt(to) > 0x20) to++;
  return { before: text.slice(from, start), after: text.slice(end, to) };
}

function isInHostOrMailbox(before: string, after: string): boolean {
  if (before.includes('://') || before.includes('www.') || before.includes('@')) return true;
  if (/^[\w.+-]{0,64}@/.test(after)) return true;
  const isPort = /(?:^|[^\w.-])(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):$/.test(before);
  const isFileName = /^\.[a-z]\w{1,4}(?!\w)/.test(after);
  return isPort || isFileName;
}

/**
 * A letter of a script that puts spaces between words: a digit beside it is part of its word. Scripts without spaces
 * (Thai to Myanmar, kana, Han, Hangul with its endings) run on into numbers.
 */
const SPACED_LETTER = String.raw`(?![\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\uffff])[\p{L}\p{M}_]`;
const LETTER_BEFORE = new RegExp(`${SPACED_LETTER}$`, 'u');
const LETTER_AFTER = new RegExp(`^${SPACED_LETTER}`, 'u');

function endsInLetter(before: string): boolean {
  return LETTER_BEFORE.test(before);
}

function beginsWithLetter(after: string): boolean {
  return LETTER_AFTER.test(after);
}

/** Hyphened to a word, unless that is one or two letters that say who sent the code: `G-482913`. */
function isHyphened(before: string, after: string): boolean {
  if (/^-[^\W\d_]/.test(after)) return true;
  return /[^\W\d_]-$/.test(before) && !/^\W*[a-z]{1,2}-$/.test(before);
}
