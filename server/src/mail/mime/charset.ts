import { isAscii, isUtf8 } from 'node:buffer';
import { CHARSET_LABELS } from '../words/words.js';
import { alphabetEncoding } from './alphabets.js';
import { type ByteString, bytesOf } from './byte-string.js';
import { eastAsianEncoding } from './east-asian.js';

/** A longer label means nothing. */
const MAX_LABEL_CHARS = 40;

/** The WHATWG name of the encoding that a label means; null if we cannot decode it. US-ASCII is UTF-8. */
function encodingOf(label: string | null): string | null {
  if (label === null || label.length > MAX_LABEL_CHARS) return null;
  const cleaned = label.toLowerCase().replace(/["'\s]/g, '');
  const bare = cleaned.replace(/^x-/, '').replace(/[^a-z0-9]/g, '');
  return standardName(CHARSET_LABELS.get(bare) ?? cleaned) ?? standardName(byNumber(bare));
}

/** Whether a label means UTF-7, which browsers refuse and no decoder of the platform knows. */
function isUtf7(label: string | null): boolean {
  return label !== null && /^\s*["']?(?:x-)?(?:unicode-1-1-|csunicode11)?utf-?7["']?\s*$/i.test(label);
}

/** Reads `8859-1`, `iso8859_15`, `cp1252`, `win-1251`, `x-windows-949`, `ms932` and the like. */
function byNumber(bare: string): string | null {
  const iso = /^(?:iso)?8859(\d\d?)[ei]?$/.exec(bare);
  if (iso !== null) return `iso-8859-${iso[1]}`;
  const page = /^(?:cp|windows|win|ms|ibm)(\d+)$/.exec(bare)?.[1];
  return page === undefined ? null : (CHARSET_LABELS.get(`cp${page}`) ?? null);
}

function standardName(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Whether bytes are all there are, or were cut off at a bound, possibly within a character. */
export type Extent = 'whole' | 'cut';

/** Character codes made into a string at once: they are arguments, and so many fit on any stack. */
const CODES_AT_ONCE = 4_096;

/** What is named by many who send something else. */
const GUESSED: ReadonlySet<string> = new Set(['utf-8', 'windows-1252']);

/** Byte order marks, which distinguish the Unicode encodings. In other charsets these bytes are letters: `яю`. */
const BYTE_ORDER_MARKS: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.of(0xef, 0xbb, 0xbf), 'utf-8'],
  [Buffer.of(0xfe, 0xff), 'utf-16be'],
  [Buffer.of(0xff, 0xfe), 'utf-16le'],
];

const FIRST_OF_MARKS = Math.min(...BYTE_ORDER_MARKS.map(([mark]) => mark[0] as number));

/**
 * Text from bytes by the charset that their sender named, or null if none was. A byte order mark is dropped; an
 * incomplete character at a cut is dropped; what cannot be decoded becomes U+FFFD. The bytes decide without a charset
 * that we know, and where UTF-8, US-ASCII or ISO 8859-1 is named: many name one of these and send another, for they are
 * what mail libraries name if nobody tells them. Letters of ISO 8859-1 that happen to be valid UTF-8 are next to
 * impossible.
 */
export function decodeCharset(bytes: Buffer, label: string | null, extent: Extent): string {
  const named = encodingOf(label);
  const encoding = named === null || named.startsWith('utf-') ? (encodingByMark(bytes) ?? named) : named;
  if (encoding === 'windows-1252' && !isUtf8(bytes)) return decodeOneByte(bytes);
  if (encoding === null && isUtf7(label) && isAscii(bytes)) return decodeUtf7(bytes);
  if (encoding === null || GUESSED.has(encoding)) return decodeUtf8OrWindows1252(bytes, extent);
  return decode(bytes, encoding, extent);
}

/**
 * UTF-8, or an alphabet or characters of East Asia in an encoding of their own, or windows-1252. What is UTF-8 in
 * most of its characters stays so despite a broken sequence.
 */
function decodeUtf8OrWindows1252(bytes: Buffer, extent: Extent): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  const text = decode(bytes, 'utf-8', extent);
  return isUtf8(bytes) || !isMostlyBroken(text) ? text : decodeOneByte(bytes);
}

/** Text of a header field, whose bytes are a string already: ASCII, as most is, stays that string. */
export function decodeField(field: ByteString): string {
  return isAsciiText(field) ? field : decodeUtf8OrWindows1252(bytesOf(field), 'whole');
}

function isAsciiText(text: ByteString): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

function encodingByMark(bytes: Buffer): string | null {
  if (bytes.length === 0 || (bytes[0] as number) < FIRST_OF_MARKS) return null;
  return BYTE_ORDER_MARKS.find(([mark]) => mark.equals(bytes.subarray(0, mark.length)))?.[1] ?? null;
}

/** A fresh decoder each time, for a cut leaves one in the middle of a character. */
function decode(bytes: Buffer, encoding: string, extent: Extent): string {
  return new TextDecoder(encoding).decode(bytes, { stream: extent === 'cut' });
}

/** Text of one byte a letter whose charset is not told, or told as that which libraries name by themselves. */
function decodeOneByte(bytes: Buffer): string {
  const encoding = alphabetEncoding(bytes) ?? eastAsianEncoding(bytes);
  return encoding === null ? decodeWindows1252(bytes) : decode(bytes, encoding, 'whole');
}

/** By hand, since TextDecoder takes windows-1252 for ISO 8859-1 from Node 20.18.3 on (nodejs/node issue 56542). */
function decodeWindows1252(bytes: Buffer): string {
  const text = bytes.toString('latin1');
  if (!/[\x80-\x9f]/.test(text)) return text;
  const codes = new Uint16Array(bytes);
  for (let index = 0; index < codes.length; index++) codes[index] = windows1252(codes[index] as number);
  const pieces: string[] = [];
  for (let start = 0; start < codes.length; start += CODES_AT_ONCE) {
    pieces.push(String.fromCharCode(...codes.subarray(start, start + CODES_AT_ONCE)));
  }
  return pieces.join('');
}

function isMostlyBroken(text: string): boolean {
  let broken = 0;
  let intact = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) broken++;
    else if (code > 0x7f) intact++;
  }
  return broken > intact;
}

/** Characters beyond ASCII: UTF-16 in base64 between `+` and `-`, or up to the first character outside of base64. */
const SHIFTED = /\+([A-Za-z0-9+/]*)-?/g;

/** Text of UTF-7 (RFC 2152), of ASCII bytes. `+-` is a plus sign. Linear, and never longer than what it is made of. */
function decodeUtf7(bytes: Buffer): string {
  return bytes.toString('latin1').replace(SHIFTED, (_, base64: string) => {
    if (base64 === '') return '+';
    const units = Buffer.from(base64, 'base64');
    // Bits that are left over fill the last character of base64.
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le');
  });
}

/** What windows-1252 has at 0x80 to 0x9F (WHATWG Encoding Standard, index windows-1252). */
const C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The Unicode character of a code from 0x80 to 0x9F in windows-1252. Other codes mean themselves (ISO 8859-1). */
function windows1252(code: number): number {
  return code >= 0x80 && code <= 0x9f ? C1.charCodeAt(code - 0x80) : code;
}
