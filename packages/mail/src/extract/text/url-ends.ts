import { lineEnd, lineStart } from './lines.js';

/** How a text came to its line breaks: `wrapped` ones may stand inside of an address, `meant` ones do not. */
export type LineBreaks = 'wrapped' | 'meant';

/** Most line breaks over which an address continues. */
const MAX_LINE_BREAKS = 20;
/** Programs that wrap lines fill them at least so far; a shorter line ends where its author ended it. */
const MIN_WRAPPED_LINE_CHARS = 60;
/** A line of this many characters without a space is not a word. */
const MIN_UNSPOKEN_CHARS = 30;
/** A first word of a sentence that mixes letters and digits is shorter. */
const MIN_TOKEN_CHARS = 16;

/** A digest of its usual length, on its own line: programs that wrap fill lines further than the address does. */
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{48}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const MIN_HARD_WRAPPED_CHARS = 70;

/** White space, quotes and brackets that RFC 3986 forbids in an address, and scripts without spaces: the sentence. */
const STOP = /[\s<>"`{}|\\^«»\u2000-\u206f\u0e00-\u0e7f\u2e80-\ufaff\ufe10-\uffef]/g;

/** Where an address that begins at `start` ends, over the line breaks that are certainly inside of it. */
export function endOf(text: string, start: number, lineBreaks: LineBreaks): number {
  const first = stopAt(text, start);
  const enclosed = enclosedEnd(text, start, first) ?? closingSign(text, start, first);
  if (enclosed !== null) return enclosed;
  return lineBreaks === 'meant' ? first : wrappedEnd(text, start, first);
}

/** Whether an address followed to `end` may continue after it. What is surely the next sentence does not. */
export function isCutAt(text: string, start: number, end: number, lineBreaks: LineBreaks): boolean {
  if (text[end] === '…') return true;
  const next = end === text.length ? end : afterLineBreak(text, end);
  if (next === null) return goesOnBehindBlank(text, end);
  const last = text.slice(Math.max(start, end - MAX_LAST_CHARS), end);
  if (/%[0-9a-f]?$/i.test(last)) return true;
  if (text.slice(next, lineEnd(text, next)).trim() === '') return false;
  const lead = quoteMarks(text, start, next);
  const rest = text.slice(lead, stopAt(text, lead));
  if (!/[\p{L}\p{N}]/u.test(rest) || isNamedOtherwise(rest)) return false;
  if (isInAngleBrackets(text, start) || EMPTY_VALUE.test(last)) return true;
  if (isDigestBelow(text, end, rest)) return false;
  const isFilled = lineBreaks === 'wrapped' && end - lineStart(text, end) >= MIN_WRAPPED_LINE_CHARS;
  if (endsLine(text, lead + rest.length)) return mayEndAddress(rest, last, isFilled, text[start - 1] === '(');
  // It is the first word of a sentence.
  return isFilled && (last.endsWith('-') || /[=&%]/.test(rest) || (rest.length >= MIN_TOKEN_CHARS && mixes(rest)));
}

const MAX_LAST_CHARS = 80;

/** `?token=` without its value. */
const EMPTY_VALUE = /[?&;][\w.[\]-]{1,64}=$/;

/** What alone in a line is neither a name, a greeting nor a code. */
const NO_NAME_OR_CODE = /^(?:[a-z]{2,}|\d{1,3}|\d{9,})$/;

/** Whether what stands alone in the next line may belong to an address that is not sure to go on. */
function mayEndAddress(rest: string, last: string, isFilled: boolean, isBracketed: boolean): boolean {
  if (/[=&%]/.test(rest)) return true;
  // No program wraps a line that is not full, unless behind a mark within an address.
  if (rest.length >= MIN_UNSPOKEN_CHARS && (isFilled || !/[\p{L}\p{N}]$/u.test(last))) return true;
  if (isBracketed && rest.includes(')')) return true;
  if (last.endsWith('&') || (last.endsWith('=') && goesOn(rest))) return true;
  if (/[-_~]$/.test(last) && !/^(?:[A-Z][a-z]+[,.!]?|\d{4,8})$/.test(rest)) return true;
  return isFilled && (goesOn(rest) || NO_NAME_OR_CODE.test(rest));
}

function stopAt(text: string, from: number): number {
  STOP.lastIndex = from;
  return STOP.exec(text)?.index ?? text.length;
}

/** `<https://…>`, or `<URL:https://…>` as RFC 3986 appendix C has it. */
function isInAngleBrackets(text: string, start: number): boolean {
  return text[start - 1] === '<' || /^<url:$/i.test(text.slice(Math.max(0, start - 5), start));
}

/**
 * End of an address over line breaks, and what indents the lines, by the bracket that closes it: `<…>` (RFC 3986
 * appendix C), `](…)` in Markdown; or null.
 */
function enclosedEnd(text: string, start: number, first: number): number | null {
  const close = isInAngleBrackets(text, start) ? '>' : text.startsWith('](', start - 2) ? ')' : null;
  if (close === null) return null;
  let from = start;
  let end = first;
  let open = 0;
  for (let breaks = 0; breaks <= MAX_LINE_BREAKS; breaks++) {
    for (let at = from; at <= end; at++) {
      if (text[at] === '(') open++;
      else if (text[at] === close && (close === '>' || open-- === 0)) return at;
    }
    const next = afterLineBreak(text, end);
    if (next === null) return null;
    from = next;
    end = stopAt(text, next);
    // Another address begins: the bracket of this one was never closed.
    if (text.slice(from, end).includes('://')) return null;
  }
  return null;
}

/** What closes an address behind what stands before it. Those on one line may enclose blanks. */
const CLOSING: ReadonlyMap<string, string> = new Map(
  ['<>', '()', '[]', '""', "''", '``', '“”', '„“', '«»', '‘’', '‹›'].map(([open = '', close = '']) => [open, close]),
);
const MAX_ENCLOSED_CHARS = 2_048;

/** Where an address with blanks ends that stands between two signs; null without them, or if a sentence follows it. */
function closingSign(text: string, start: number, first: number): number | null {
  const close = isInAngleBrackets(text, start) ? '>' : CLOSING.get(text.charAt(start - 1));
  if (close === undefined || !BLANK.test(text.charAt(first))) return null;
  const [line] = text.slice(first, start + MAX_ENCLOSED_CHARS).split('\n', 1) as [string];
  const length = line.indexOf(close);
  if (length < 0) return null;
  const rest = line.slice(0, length);
  if (rest.includes('://')) return null;
  const isMarked = close === '>' || text[start - 2] === ']' || text[start - 2] === '=';
  const isAddress = /[&=]|%[0-9a-f]{2}/i.test(rest) || (isMarked && text.slice(start, first).includes('?'));
  return isAddress || hasTokenOfPath(rest) ? first + length : null;
}

const BLANK = /[ \u00a0]/;
/** `Lee&token=…`: the rest of a query, up to four words behind a blank that nothing encloses. */
const REST_OF_QUERY = /^(?:[ \u00a0][^\s<>"'()&=?:/]{1,40}){1,4}&[\w.%[\]-]{1,64}=/;
/** `Lee/q7w8e9r0`: that of a path. */
const REST_OF_PATH = /^(?:[ \u00a0][^\s<>"'()&=?:/.]{1,40}){1,4}\/([\w-]{8,64})/;
const MAX_REST_CHARS = 240;

/** Whether an address goes on behind a blank, so that where it ends cannot be told. */
function goesOnBehindBlank(text: string, end: number): boolean {
  if (!BLANK.test(text.charAt(end))) return false;
  const rest = text.slice(end, end + MAX_REST_CHARS);
  return REST_OF_QUERY.test(rest) || hasTokenOfPath(rest);
}

function hasTokenOfPath(rest: string): boolean {
  return mixes(REST_OF_PATH.exec(rest)?.[1] ?? '');
}

/** The end of an address wrapped with its line: the next one continues without a space, as addresses do. */
function wrappedEnd(text: string, start: number, first: number): number {
  let end = first;
  for (let breaks = 0; breaks < MAX_LINE_BREAKS; breaks++) {
    const next = afterLineBreak(text, end);
    if (next === null) break;
    const nextEnd = stopAt(text, next);
    if (!endsLine(text, nextEnd) || !isRest(text, start, end, text.slice(next, nextEnd))) break;
    end = nextEnd;
  }
  return end;
}

/** Whether a line is sure to be the rest of the address in the full line before it. */
function isRest(text: string, start: number, end: number, line: string): boolean {
  const last = text.slice(Math.max(start, end - MAX_LAST_CHARS), end);
  const half = /%[0-9a-f]?$/i.exec(last)?.[0];
  if (half !== undefined) return /^%[0-9a-f]{2}/i.test(half + line);
  if (end - lineStart(text, end) < MIN_WRAPPED_LINE_CHARS || isDigestBelow(text, end, line)) return false;
  // The equals sign may be padding, or the soft break of a message whose transfer encoding is not told.
  if (last.endsWith('=') && !EMPTY_VALUE.test(last)) return false;
  return goesOn(line);
}

function isDigestBelow(text: string, end: number, line: string): boolean {
  return (
    DIGEST.test(line) &&
    end - lineStart(text, end) < MIN_HARD_WRAPPED_CHARS &&
    /[\p{L}\p{N}]/u.test(text[end - 1] ?? '')
  );
}

const NEXT_LINE = /[ \t]{0,40}\n[ \t]{0,40}/y;

/** Where the text goes on behind a line break and what indents the next line, or null. */
function afterLineBreak(text: string, end: number): number | null {
  NEXT_LINE.lastIndex = end;
  return NEXT_LINE.test(text) ? NEXT_LINE.lastIndex : null;
}

/** Where a line begins behind the marks of a quotation, if the address stands in one too. */
function quoteMarks(text: string, start: number, next: number): number {
  QUOTE_MARKS.lastIndex = next;
  return text[lineStart(text, start)] === '>' && QUOTE_MARKS.test(text) ? QUOTE_MARKS.lastIndex : next;
}

const QUOTE_MARKS = /(?:> ?){1,9}/y;

function endsLine(text: string, at: number): boolean {
  return at === text.length || afterLineBreak(text, at) !== null;
}

/** Whether a line reads as the rest of an address: no word, no number, no other address, no ruling. */
function goesOn(line: string): boolean {
  if (!/[A-Za-z0-9]/.test(line) || isNamedOtherwise(line)) return false;
  return /[=&%/?]/.test(line) || mixes(line) || line.length >= MIN_UNSPOKEN_CHARS;
}

/** Letters and digits, or small letters before large ones, as no word has them. */
function mixes(word: string): boolean {
  return /\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/.test(word);
}

function isNamedOtherwise(word: string): boolean {
  return /^(?:https?:|www\.)/i.test(word) || /^[\w.+-]{1,64}@[\w.-]{1,253}$/.test(word);
}
