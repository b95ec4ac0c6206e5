import { decodeHTML } from 'entities/decode';
import type { Range } from './lines.js';
import { endOf, isCutAt, type LineBreaks } from './url-ends.js';

/** A URL in plain text. Its range includes the line breaks within it. */
export interface TextUrl extends Range {
  readonly url: string;
  /** A line break or an ellipsis ends the URL, and the rest could not be found with certainty. */
  readonly isCut: boolean;
}

export const MAX_URLS = 500;
/** Mail programs do not open longer URLs. */
const MAX_URL_CHARS = 8_192;

/** Finds the URLs in a plain text. Linear time. */
export function findUrls(text: string, lineBreaks: LineBreaks): TextUrl[] {
  const found: TextUrl[] = [];
  let colon = text.indexOf('://');
  while (colon >= 0 && found.length < MAX_URLS) {
    const start = schemeStart(text, colon);
    const url = start === null ? null : urlAt(text, start, lineBreaks);
    if (url !== null && isAddress(url, colon)) found.push(url);
    colon = text.indexOf('://', Math.max(url?.end ?? 0, colon + 3));
  }
  return found;
}

/** Schemes of applications can be long, such as `com.acme.app`. */
const MAX_SCHEME_CHARS = 64;

function schemeStart(text: string, colon: number): number | null {
  const before = text.slice(Math.max(0, colon - MAX_SCHEME_CHARS), colon);
  // http and https begin a URL even after other letters.
  const [scheme] = /https?$/i.exec(before) ?? /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,63}$/i.exec(before) ?? [];
  return scheme === undefined ? null : colon - scheme.length;
}

function isAddress({ url, start }: TextUrl, colon: number): boolean {
  return url.length > colon + 3 - start && url.length <= MAX_URL_CHARS;
}

function urlAt(text: string, start: number, lineBreaks: LineBreaks): TextUrl {
  const end = endOf(text, start, lineBreaks);
  const written = text.slice(start, Math.min(end, start + 2 * MAX_URL_CHARS));
  const last = trimmedEnd(written, text.charAt(start - 1));
  const isWhole = last === written.length;
  const url = decoded(
    written
      .slice(0, last)
      .split('\n')
      .map((line) => line.trim())
      .join(''),
  );
  // A final question mark may end the sentence, or begin a query that continues on the next line.
  const mayGoOn = isWhole || (last === written.length - 1 && written.endsWith('?'));
  return { url, start, end: isWhole ? end : start + last, isCut: mayGoOn && isCutAt(text, start, end, lineBreaks) };
}

const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|&(?:#\d{1,7}|#x[\da-f]{1,6}|amp|gt|quot)$/gi;

/** Decodes HTML character references, which some templates leave in text. Cuts at a character that no URL contains. */
function decoded(written: string): string {
  if (!written.includes('&')) return written;
  return written.replace(REFERENCE, (reference) => decodeHTML(reference)).split(/[<>"\u00a0]/, 1)[0] as string;
}

/** The end of the URL, without the sentence's punctuation, and without closing brackets that the URL did not open. */
function trimmedEnd(written: string, before: string): number {
  let last = closingBracket(written);
  // Emphasis such as `*…*` has the same character on both sides, so a final `*` is not part of the URL.
  const trailing = `.,;:!?'${/[*_~]/.exec(before)?.[0] ?? ''}`;
  while (last > 0 && trailing.includes(written.charAt(last - 1))) last--;
  return last;
}

/** The index of the first closing bracket without an opening one in the URL, or the URL's length. */
function closingBracket(written: string): number {
  const open = { '(': 0, '[': 0 };
  for (const { 0: bracket, index } of written.matchAll(/[()[\]]/g)) {
    if (bracket === '(' || bracket === '[') open[bracket]++;
    else if (open[bracket === ')' ? '(' : '[']-- === 0) return index;
  }
  return written.length;
}
