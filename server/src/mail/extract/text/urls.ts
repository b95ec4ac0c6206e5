import { lineAround, type Range } from './lines.js';

/** A web address that is written out in a text. Its range includes line breaks inside it. */
export interface TextUrl extends Range {
  readonly url: string;
}

/** How the text came to its line breaks: `wrapped` ones may stand inside of an address, `meant` ones do not. */
export type LineBreaks = 'wrapped' | 'meant';

/** A text has at most so many addresses that are looked at. */
export const MAX_URLS = 500;
/** Longer addresses are none: no mail program opens them. */
export const MAX_URL_CHARS = 8_192;
/** An address goes on over at most so many line breaks. */
const MAX_LINE_BREAKS = 20;
/** Programs that wrap lines fill them at least so far; a shorter line ends where its author ended it. */
const MIN_WRAPPED_LINE_CHARS = 60;
/** A line of so many characters without a space is no word. */
const MIN_UNSPOKEN_CHARS = 30;

/**
 * What ends an address: white space, quotes and brackets that RFC 3986 does not allow in one, and the punctuation and
 * letters of scripts without spaces (Thai, CJK), which are the sentence going on.
 */
const STOP = /[\s<>"`{}|\\^«»\u2000-\u206f\u0e00-\u0e7f\u2e80-\ufaff\ufe10-\uffef]/g;

/** Punctuation of the sentence when it stands at the end of an address. */
const TRAILING_PUNCTUATION = new Set(".,;:!?'");
/** Marks of emphasis, when they stand on both sides of an address. */
const EMPHASIS = new Set('*_~');

/** Finds the web addresses of a text, as they are written there. Linear. */
export function findUrls(text: string, lineBreaks: LineBreaks): TextUrl[] {
  const found: TextUrl[] = [];
  let colon = text.indexOf('://');
  while (colon >= 0 && found.length < MAX_URLS) {
    const start = schemeStart(text, colon);
    const url = start === null ? null : trimmed(text, start, endOf(text, start, lineBreaks));
    if (url !== null && isAddress(url, colon)) found.push(url);
    colon = text.indexOf('://', Math.max(url?.end ?? 0, colon + 3));
  }
  return found;
}

/** Where `http` or `https` before a colon begins. */
function schemeStart(text: string, colon: number): number | null {
  const [scheme] = /https?$/i.exec(text.slice(Math.max(0, colon - 5), colon)) ?? [];
  return scheme === undefined ? null : colon - scheme.length;
}

function isAddress({ url, start }: TextUrl, colon: number): boolean {
  return url.length > colon + 3 - start && url.length <= MAX_URL_CHARS;
}

function endOf(text: string, start: number, lineBreaks: LineBreaks): number {
  const end = stopAt(text, start);
  if (lineBreaks === 'meant') return end;
  return text[start - 1] === '<' ? bracketedEnd(text, end) : wrappedEnd(text, start, end);
}

function stopAt(text: string, from: number): number {
  STOP.lastIndex = from;
  return STOP.exec(text)?.index ?? text.length;
}

/** End of an address in angle brackets (RFC 3986 appendix C): its bracket, over line breaks. */
function bracketedEnd(text: string, first: number): number {
  let end = first;
  for (let breaks = 0; breaks < MAX_LINE_BREAKS; breaks++) {
    if (text[end] === '>') return end;
    const next = afterLineBreak(text, end);
    if (next === null) return first;
    end = stopAt(text, next);
  }
  return first;
}

/** End of an address that was wrapped with its line: it fills the line, and the next one goes on without a space. */
function wrappedEnd(text: string, start: number, first: number): number {
  let end = first;
  let lineStart = lineAround(text, { start, end: start }).start;
  for (let breaks = 0; breaks < MAX_LINE_BREAKS; breaks++) {
    const next = afterLineBreak(text, end);
    if (next === null || end - lineStart < MIN_WRAPPED_LINE_CHARS) break;
    const nextEnd = stopAt(text, next);
    if (!endsLine(text, nextEnd) || !goesOn(text.slice(next, nextEnd))) break;
    lineStart = next;
    end = nextEnd;
  }
  return end;
}

/** Where the line after this one begins, if this one ends here. */
function afterLineBreak(text: string, end: number): number | null {
  const [lineBreak] = /^ ?\n ?/.exec(text.slice(end, end + 3)) ?? [];
  return lineBreak === undefined ? null : end + lineBreak.length;
}

function endsLine(text: string, at: number): boolean {
  return at === text.length || afterLineBreak(text, at) !== null;
}

/** Whether a line reads as the rest of an address: no word, no number, no other address. */
function goesOn(line: string): boolean {
  if (/^https?:/i.test(line)) return false;
  const hasSign = /[=&%/?]/.test(line);
  const mixes = /\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/.test(line);
  return hasSign || mixes || line.length >= MIN_UNSPOKEN_CHARS;
}

/** Takes away what belongs to the sentence: punctuation at the end, and a bracket that the address did not open. */
function trimmed(text: string, start: number, end: number): TextUrl {
  const written = text.slice(start, Math.min(end, start + 2 * MAX_URL_CHARS));
  let last = closingBracket(written);
  while (last > 0 && isTrailing(written[last - 1] as string, text[start - 1])) last--;
  const isWhole = last === written.length;
  // Plain text from a template that escapes for HTML: no address has a parameter whose name begins with "amp;".
  const url = written
    .slice(0, last)
    .replace(/\s+/g, '')
    .replace(/&amp(?:;|$)/g, '&');
  return { url, start, end: isWhole ? end : start + last };
}

function isTrailing(character: string, before: string | undefined): boolean {
  return TRAILING_PUNCTUATION.has(character) || (EMPHASIS.has(character) && character === before);
}

/** Index of the first bracket that closes what the address did not open, or the address's length. */
function closingBracket(written: string): number {
  const open = { '(': 0, '[': 0 };
  for (const { 0: bracket, index } of written.matchAll(/[()[\]]/g)) {
    if (bracket === '(' || bracket === '[') open[bracket]++;
    else if (open[bracket === ')' ? '(' : '[']-- === 0) return index;
  }
  return written.length;
}
