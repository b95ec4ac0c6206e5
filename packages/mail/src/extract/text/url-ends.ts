import { lineEnd, lineStart } from './lines.js';

/** `wrapped`: a line break may be within a URL. `meant`: the author wrote all line breaks, so each ends a URL. */
export type LineBreaks = 'wrapped' | 'meant';

/** Maximum number of line breaks within a URL. */
const MAX_LINE_BREAKS = 20;
/** Programs wrap lines at this length or later. The author ended any shorter line. */
const MIN_WRAPPED_LINE_CHARS = 60;
/** A line of this length without a space is too long for a word, so it is probably part of a URL. */
const MIN_UNSPOKEN_CHARS = 30;
/** A word of this length that mixes letters and digits does not begin a sentence. */
const MIN_TOKEN_CHARS = 16;

/** A digest on its own line does not continue a URL unless the line above is full. */
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{48}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const MIN_HARD_WRAPPED_CHARS = 70;

/** Characters that end a URL: white space, those that RFC 3986 forbids, and letters of scripts without spaces. */
const STOP = /[\s<>"`{}|\\^«»\u2000-\u206f\u0e00-\u0e7f\u2e80-\ufaff\ufe10-\uffef]/g;

/** The end of the URL that begins at `start`, including line breaks that are certainly part of it. */
export function endOf(text: string, start: number, lineBreaks: LineBreaks): number {
  const first = stopAt(text, start);
  const enclosed = enclosedEnd(text, start, first) ?? closingSign(text, start, first);
  if (enclosed !== null) return enclosed;
  return lineBreaks === 'meant' ? first : wrappedEnd(text, start, first);
}

/** Whether a URL may continue after `end`, because the text there could be the rest of the URL. */
export function isCutAt(text: string, start: number, end: number, lineBreaks: LineBreaks): boolean {
  if (text[end] === '…') return true;
  const next = end === text.length ? end : afterLineBreak(text, end);
  if (next === null) return goesOnAfterBlank(text, end);
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
  // More words follow, so the line is part of a sentence unless its first word looks like the rest of a URL.
  return isFilled && (last.endsWith('-') || /[=&%]/.test(rest) || (rest.length >= MIN_TOKEN_CHARS && mixes(rest)));
}

const MAX_LAST_CHARS = 80;

/** A parameter without its value, such as `?token=`. */
const EMPTY_VALUE = /[?&;][\w.[\]-]{1,64}=$/;

/** Words that, alone on a line, are neither a name, a greeting nor a code. */
const NO_NAME_OR_CODE = /^(?:[a-z]{2,}|\d{1,3}|\d{9,})$/;

/** Whether a single word in the next line may be the rest of a URL. */
function mayEndAddress(rest: string, last: string, isFilled: boolean, isBracketed: boolean): boolean {
  if (/[=&%]/.test(rest)) return true;
  // Programs wrap only full lines, except after punctuation within a URL.
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

/** Examples: `<https://…>`, and `<URL:https://…>` (RFC 3986 appendix C). */
function isInAngleBrackets(text: string, start: number): boolean {
  return text[start - 1] === '<' || /^<url:$/i.test(text.slice(Math.max(0, start - 5), start));
}

/**
 * The end of a URL that brackets enclose, including line breaks and indentation: `<…>` (RFC 3986 appendix C),
 * `](…)` in Markdown. Null without brackets.
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
    // If another URL begins here, the bracket of the first URL was never closed.
    if (text.slice(from, end).includes('://')) return null;
  }
  return null;
}

/** The closing character for each opening character. If both are on one line, a URL between them may have blanks. */
const CLOSING: ReadonlyMap<string, string> = new Map(
  ['<>', '()', '[]', '""', "''", '``', '“”', '„“', '«»', '‘’', '‹›'].map(([open = '', close = '']) => [open, close]),
);
const MAX_ENCLOSED_CHARS = 2_048;

/** The end of a URL that contains blanks and is enclosed as in `CLOSING`; null if its first blank ends the URL. */
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
/** The rest of a query after a blank, with up to four words: `Lee&token=…`. */
const REST_OF_QUERY = /^(?:[ \u00a0][^\s<>"'()&=?:/]{1,40}){1,4}&[\w.%[\]-]{1,64}=/;
/** The rest of a path after a blank: `Lee/q7w8e9r0`. */
const REST_OF_PATH = /^(?:[ \u00a0][^\s<>"'()&=?:/.]{1,40}){1,4}\/([\w-]{8,64})/;
const MAX_REST_CHARS = 240;

/** Whether the text after a blank looks like the rest of a URL, so that the end of the URL is uncertain. */
function goesOnAfterBlank(text: string, end: number): boolean {
  if (!BLANK.test(text.charAt(end))) return false;
  const rest = text.slice(end, end + MAX_REST_CHARS);
  return REST_OF_QUERY.test(rest) || hasTokenOfPath(rest);
}

function hasTokenOfPath(rest: string): boolean {
  return mixes(REST_OF_PATH.exec(rest)?.[1] ?? '');
}

/** The end of a URL whose line was wrapped. */
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

/** Whether a line certainly continues the URL in the full line above. */
function isRest(text: string, start: number, end: number, line: string): boolean {
  const last = text.slice(Math.max(start, end - MAX_LAST_CHARS), end);
  const half = /%[0-9a-f]?$/i.exec(last)?.[0];
  if (half !== undefined) return /^%[0-9a-f]{2}/i.test(half + line);
  if (end - lineStart(text, end) < MIN_WRAPPED_LINE_CHARS || isDigestBelow(text, end, line)) return false;
  // The URL may end here: the equals sign may be padding, or a soft line break of undeclared quoted-printable.
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

/** The index after a line break and the indentation that follows it, or null. */
function afterLineBreak(text: string, end: number): number | null {
  NEXT_LINE.lastIndex = end;
  return NEXT_LINE.test(text) ? NEXT_LINE.lastIndex : null;
}

/** The start of a line's text. Skips quotation marks (`>`) if the line where the URL begins also has some. */
function quoteMarks(text: string, start: number, next: number): number {
  QUOTE_MARKS.lastIndex = next;
  return text[lineStart(text, start)] === '>' && QUOTE_MARKS.test(text) ? QUOTE_MARKS.lastIndex : next;
}

const QUOTE_MARKS = /(?:> ?){1,9}/y;

function endsLine(text: string, at: number): boolean {
  return at === text.length || afterLineBreak(text, at) !== null;
}

/** Whether a line looks like the rest of a URL, not like a word, a number, another address or a row of dashes. */
function goesOn(line: string): boolean {
  if (!/[A-Za-z0-9]/.test(line) || isNamedOtherwise(line)) return false;
  return /[=&%/?]/.test(line) || mixes(line) || line.length >= MIN_UNSPOKEN_CHARS;
}

/** Whether a word mixes letters and digits, or small and capital letters, as ordinary words never do. */
function mixes(word: string): boolean {
  return /\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/.test(word);
}

function isNamedOtherwise(word: string): boolean {
  return /^(?:https?:|www\.)/i.test(word) || /^[\w.+-]{1,64}@[\w.-]{1,253}$/.test(word);
}
