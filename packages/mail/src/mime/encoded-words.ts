import { decodeBase64 } from './base64.js';
import { type ByteString, bytesOf, octetOf } from './byte-string.js';
import { decodeCharset, decodeField } from './charset.js';

/** Maximum number of bytes to decode of a field. Decoding never lengthens text, so this also bounds the result. */
export const MAX_FIELD_BYTES = 16 * 1024;

/** Matches the head of an encoded word: charset (with an optional language, RFC 2231 section 5) and encoding. */
const WORD_HEAD = /=\?([^?\s]{1,64})\?([BQbq])\?/g;

/** Matches the end of an encoded word's text, or the head of another word, which shows that the end is missing. */
const WORD_END = /\?=|=\?(?!=)/g;

/** A decoder's replacement for undecodable bytes. */
const REPLACEMENT = '\ufffd';

/** A part of a field: literal characters, or the bytes of adjacent encoded words with the same charset. */
export type Token =
  | { readonly kind: 'literal'; readonly text: ByteString }
  | { readonly kind: 'words'; readonly charset: string; readonly bytes: Buffer[] };

interface Word {
  readonly start: number;
  readonly end: number;
  readonly charset: string;
  readonly bytes: Buffer;
}

/** Decodes an unstructured field (RFC 2047) up to `MAX_FIELD_BYTES`. */
export function decodeWords(field: ByteString): string {
  const read = field.slice(0, MAX_FIELD_BYTES);
  if (!holdsWords(read)) return decodeField(read);
  return splitWords(read).map(decodeToken).join('');
}

export function holdsWords(field: ByteString): boolean {
  return field.includes('=?');
}

/**
 * Splits a field into encoded words and literal text; malformed words count as text. Drops blanks between encoded words
 * (RFC 2047 section 6.2). Joins adjacent words of one charset, because many senders split a character between two.
 */
export function splitWords(field: ByteString): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  for (let word = findWord(field, 0); word !== null; word = findWord(field, word.end)) {
    const previous = tokens.at(-1);
    const gap = field.slice(position, word.start);
    const adjacent = previous?.kind === 'words' && /^[ \t]*$/.test(gap);
    if (gap !== '' && !adjacent) tokens.push({ kind: 'literal', text: gap });
    if (adjacent && previous.charset === word.charset) previous.bytes.push(word.bytes);
    else tokens.push({ kind: 'words', charset: word.charset, bytes: [word.bytes] });
    position = word.end;
  }
  if (position < field.length) tokens.push({ kind: 'literal', text: field.slice(position) });
  return tokens;
}

/** Finds the next well-formed word. Both regular expressions only move forward, so even many `=?` take linear time. */
function findWord(field: ByteString, from: number): Word | null {
  WORD_HEAD.lastIndex = from;
  for (let head = WORD_HEAD.exec(field); head !== null; head = WORD_HEAD.exec(field)) {
    const textStart = WORD_HEAD.lastIndex;
    WORD_END.lastIndex = textStart;
    const end = WORD_END.exec(field);
    if (end === null) return null;
    if (end[0] === '?=') {
      const [, charset = '', encoding = ''] = head;
      const bytes = decodeWord(field.slice(textStart, end.index), encoding);
      return { start: head.index, end: WORD_END.lastIndex, charset: withoutLanguage(charset), bytes };
    }
    WORD_HEAD.lastIndex = end.index;
  }
  return null;
}

function withoutLanguage(charset: string): string {
  const star = charset.indexOf('*');
  return (star === -1 ? charset : charset.slice(0, star)).toLowerCase();
}

/** Undoes B encoding (base64) or Q encoding, which writes a space as `_` and octets as `=E9` (RFC 2047 section 4). */
function decodeWord(text: ByteString, encoding: string): Buffer {
  if (encoding === 'B' || encoding === 'b') {
    const decoded = Buffer.alloc(text.length);
    return decoded.subarray(0, decodeBase64(bytesOf(text), decoded));
  }
  const spaced = text.replaceAll('_', ' ');
  return bytesOf(spaced.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => octetOf(hex)));
}

export function decodeToken(token: Token): string {
  if (token.kind === 'literal') return decodeField(token.text);
  const joined = decodeCharset(Buffer.concat(token.bytes), token.charset, 'whole');
  if (!joined.includes(REPLACEMENT)) return joined;
  // Decodes each word separately if the joined bytes are invalid: ISO-2022-JP forbids two escape sequences in a row.
  const apart = token.bytes.map((bytes) => decodeCharset(bytes, token.charset, 'whole')).join('');
  return apart.includes(REPLACEMENT) ? joined : apart;
}
