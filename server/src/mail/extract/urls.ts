import type { Range } from './lines.js';

/** A web address that is written out in a text; its range includes line breaks inside it. */
export interface TextUrl extends Range {
  readonly url: string;
}

/** A text has at most so many addresses that are looked at. */
export const MAX_URLS = 500;
/** Longer addresses are cut off from consideration: no mail program opens them. */
export const MAX_URL_CHARS = 8_192;
/** An address goes on over at most so many line breaks. */
const MAX_WRAPPED_LINES = 20;
/** Programs that wrap lines do so at 60 characters at the earliest; a shorter line ends where its author ended it. */
const MIN_WRAPPED_CHARS = 60;

const SCHEME = /https?:\/\//gi;

/**
 * Characters that end an address in a text: spaces, quotes and brackets that RFC 3986 does not allow, CJK punctuation
 * and the letters of scripts without spaces, which are the sentence going on.
 */
const STOP = /[\s<>"`{}|\\^\u00a0\u00ab\u00bb\u2000-\u206f\u2e80-\ufdcf\uff00-\uffef\u0e00-\u0e7f]/g;

const TRAILING = new Set('.,;:!?\'*"_~');
const PAIRS: Record<string, string> = { ')': '(', ']': '[' };

function stopAt(text: string, from: number): number {
  STOP.lastIndex = from;
  return STOP.exec(text)?.index ?? text.length;
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}

/** Cuts what belongs to the sentence: trailing punctuation, and brackets that the address does not open itself. */
function withoutTrail(url: string): string {
  let end = url.length;
  const open: Record<string, number> = {};
  while (end > 0) {
    const last = url[end - 1] as string;
    const pair = PAIRS[last];
    if (pair !== undefined) {
      open[last] ??= count(url, last) - count(url, pair);
      if ((open[last] as number) <= 0) break;
      open[last] = (open[last] as number) - 1;
    } else if (!TRAILING.has(last)) break;
    end--;
  }
  return url.slice(0, end);
}

/** Finds the web addresses of a text, wrapped ones joined. Linear. */
export function findUrls(text: string): TextUrl[] {
  const found: TextUrl[] = [];
  SCHEME.lastIndex = 0;
  for (let match = SCHEME.exec(text); match !== null && found.length < MAX_URLS; match = SCHEME.exec(text)) {
    const start = match.index;
    const end = text[start - 1] === '<' ? bracketed(text, start) : wrapped(text, start);
    const written = text.slice(start, Math.min(end, start + MAX_URL_CHARS)).replace(/\s+/g, '');
    const url = withoutTrail(cutMarkdown(text, start, written));
    if (url.length > match[0].length) found.push({ url, start, end });
    SCHEME.lastIndex = Math.max(end, SCHEME.lastIndex);
  }
  return found;
}

/** In `[text](address)` and `[address](address)` the address ends at its bracket, whatever follows. */
function cutMarkdown(text: string, start: number, written: string): string {
  const opener = text[start - 1];
  if (opener === '[') return written.split('](', 1)[0] as string;
  return written;
}

/** End of an address in angle brackets (RFC 3986 appendix C): up to the bracket, over line breaks. */
function bracketed(text: string, start: number): number {
  let end = stopAt(text, start);
  for (let lines = 0; lines < MAX_WRAPPED_LINES && (text[end] === '\n' || text[end] === ' '); lines++) {
    const next = stopAt(text, end + 1);
    if (next === end + 1 && text[next] !== '\n') break;
    end = next;
  }
  return text[end] === '>' ? end : stopAt(text, start);
}

/** End of an address that may have been wrapped with its line: the next line goes on without a space in it. */
function wrapped(text: string, start: number): number {
  let end = stopAt(text, start);
  let lineStart = text.lastIndexOf('\n', start) + 1;
  for (let lines = 0; lines < MAX_WRAPPED_LINES; lines++) {
    const breakAt = text[end] === ' ' ? end + 1 : end;
    if (text[breakAt] !== '\n' || end - lineStart < MIN_WRAPPED_CHARS) return end;
    const next = stopAt(text, breakAt + 1);
    const line = text.slice(breakAt + 1, next);
    if (!goesOn(line, text[next])) return end;
    lineStart = breakAt + 1;
    end = next;
  }
  return end;
}

/** Whether a line reads as the rest of an address: alone on its line, and no word of a sentence. */
function goesOn(line: string, after: string | undefined): boolean {
  if (line === '' || (after !== undefined && after !== '\n' && after !== ' ')) return false;
  if (/^https?:/i.test(line)) return false;
  return /[=&%/?]|\d.*[a-z]|[a-z].*\d/i.test(line) || line.length >= 30;
}
