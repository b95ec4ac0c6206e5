import { isAscii, isUtf8 } from 'node:buffer';
import { CHARSET_LABELS } from '../words/words.js';
import { alphabetEncoding } from './alphabets.js';
import { type ByteString, bytesOf } from './byte-string.js';
import { eastAsianEncoding } from './east-asian.js';
import { decodeWindows1252, latinEncoding } from './latin-alphabets.js';

const MAX_LABEL_CHARS = 40;

/** The WHATWG name of the encoding that a label names; null if Mayfly cannot decode it. US-ASCII counts as UTF-8. */
function encodingOf(label: string | null): string | null {
  if (label === null || label.length > MAX_LABEL_CHARS) return null;
  const lower = label.toLowerCase();
  // Nearly all mail is UTF-8, and creating a decoder to check the label takes as long as decoding.
  if (lower === 'utf-8') return lower;
  const cleaned = lower.replace(/["'\s]/g, '');
  const bare = cleaned.replace(/^x-/, '').replace(/[^a-z0-9]/g, '');
  return standardName(CHARSET_LABELS.get(bare) ?? cleaned) ?? standardName(byNumber(bare));
}

/** UTF-7 needs its own decoder, because the platform has none: browsers refuse UTF-7. */
function isUtf7(label: string | null): boolean {
  return label !== null && /^\s*["']?(?:x-)?(?:unicode-1-1-|csunicode11)?utf-?7["']?\s*$/i.test(label);
}

/** Recognizes labels such as `8859-1`, `iso8859_15`, `cp1252`, `win-1251`, `x-windows-949` and `ms932`. */
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

/** `cut`: a limit truncated the bytes, possibly within a character. */
export type Extent = 'whole' | 'cut';

/** Charsets that many senders declare while they send something else. */
const GUESSED: ReadonlySet<string> = new Set(['utf-8', 'windows-1252']);

/** Web standards decode ISO 8859-1 as this superset. */
const WESTERN = 'windows-1252';

/** Byte order marks, which identify a Unicode encoding. In other charsets, these bytes are letters such as `яю`. */
const BYTE_ORDER_MARKS: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.of(0xef, 0xbb, 0xbf), 'utf-8'],
  [Buffer.of(0xfe, 0xff), 'utf-16be'],
  [Buffer.of(0xff, 0xfe), 'utf-16le'],
];

const FIRST_OF_MARKS = Math.min(...BYTE_ORDER_MARKS.map(([mark]) => mark[0] as number));

/**
 * Decodes bytes by the sender's charset label (or null). Drops a byte order mark, and a character cut off at the end.
 * Undecodable bytes become U+FFFD. Detects the charset from the bytes if the label is missing, unknown, UTF-8, US-ASCII
 * or ISO 8859-1, which mail libraries declare by default. Other labels lose to valid UTF-8, which is rarely accidental.
 */
export function decodeCharset(bytes: Buffer, label: string | null, extent: Extent): string {
  const named = encodingOf(label);
  const encoding = named === null || named.startsWith('utf-') ? (unicodeEncoding(bytes, named, label) ?? named) : named;
  if (encoding === null && isUtf7(label) && isAscii(bytes)) return decodeUtf7(bytes);
  if (encoding === WESTERN && !isUtf8(bytes)) return decodeOneByte(bytes);
  if (encoding === null || GUESSED.has(encoding)) return decodeByBytes(bytes, extent);
  return decode(bytes, isMisnamedUtf8(bytes, encoding) ? 'utf-8' : encoding, extent);
}

/**
 * Detects the charset from the bytes: UTF-8, a charset of another alphabet or of East Asia, or else windows-1252. Text
 * that is mostly valid UTF-8 is decoded as UTF-8 despite a broken sequence.
 */
function decodeByBytes(bytes: Buffer, extent: Extent): string {
  if (isAscii(bytes)) return bytes.includes(TO_CHARACTERS) ? decode(bytes, JIS, extent) : bytes.toString('latin1');
  const text = decode(bytes, 'utf-8', extent);
  return isUtf8(bytes) || !isMostlyBroken(text) ? text : decodeOneByte(bytes);
}

/** In ISO-2022-JP, the escape `TO_CHARACTERS` begins Japanese text (RFC 1468). */
const JIS = 'iso-2022-jp';
const TO_CHARACTERS = '\x1b$';

/** A smaller number of non-ASCII bytes may be valid UTF-8 by accident. */
const MIN_UTF8_BYTES = 8;

/** Whether bytes are UTF-8 despite another declared encoding. ASCII bytes keep their declared encoding. */
function isMisnamedUtf8(bytes: Buffer, encoding: string): boolean {
  if (encoding.startsWith('utf-') || encoding === JIS || isAscii(bytes) || !isUtf8(bytes)) return false;
  let beyondAscii = 0;
  for (const byte of bytes) if (byte > 0x7f && ++beyondAscii >= MIN_UTF8_BYTES) return true;
  return false;
}

/** Decodes a header field. Plain ASCII, the usual case, stays unchanged. */
export function decodeField(field: ByteString): string {
  return isAsciiText(field) && !field.includes(TO_CHARACTERS) ? field : decodeByBytes(bytesOf(field), 'whole');
}

function isAsciiText(text: ByteString): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** Looks for a byte order mark. If the label is missing or leaves the byte order open, also looks for NUL bytes. */
function unicodeEncoding(bytes: Buffer, named: string | null, label: string | null): string | null {
  const isOpen = named === null || /^\W*utf-?16\W*$/i.test(label ?? '');
  return encodingByMark(bytes) ?? (isOpen ? encodingByNuls(bytes) : null);
}

function encodingByMark(bytes: Buffer): string | null {
  if (bytes.length === 0 || (bytes[0] as number) < FIRST_OF_MARKS) return null;
  return BYTE_ORDER_MARKS.find(([mark]) => mark.equals(bytes.subarray(0, mark.length)))?.[1] ?? null;
}

/** Maximum number of bytes searched for the NULs of UTF-16. */
const MAX_SEARCHED_BYTES = 1_024;
/** In UTF-16, half of the bytes of Latin text are NUL. In any script, spaces, digits and line ends contain a NUL. */
const MIN_SHARE_OF_NULS = 0.05;

/** The byte order of UTF-16 without a byte order mark, judged by the positions of NULs; null if few bytes are NUL. */
function encodingByNuls(bytes: Buffer): string | null {
  if (!bytes.includes(0)) return null;
  const searched = bytes.subarray(0, MAX_SEARCHED_BYTES);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < searched.length; at++) {
    if (searched[at] !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  if ((even > 0 && odd > 0) || even + odd < MIN_SHARE_OF_NULS * searched.length) return null;
  return even > 0 ? 'utf-16be' : 'utf-16le';
}

/** Needs a new decoder each time, because truncated input leaves a decoder in the middle of a character. */
function decode(bytes: Buffer, encoding: string, extent: Extent): string {
  return new TextDecoder(encoding).decode(bytes, { stream: extent === 'cut' });
}

/** Maximum number of bytes that decide the charset, from the first non-ASCII byte on. */
const MAX_JUDGED_BYTES = 16 * 1024;

/** Decodes text that is not UTF-8 and declares no charset, or only one that mail libraries declare by default. */
function decodeOneByte(bytes: Buffer): string {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const judged = bytes.subarray(Math.max(0, first - 1), first + MAX_JUDGED_BYTES);
  const encoding = alphabetEncoding(judged) ?? latinEncoding(judged) ?? eastAsianEncoding(bytes) ?? WESTERN;
  return encoding === WESTERN ? decodeWindows1252(bytes) : decode(bytes, encoding, 'whole');
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

/** Matches UTF-7's non-ASCII text: base64 of UTF-16 between `+` and `-`, or up to a character that is not base64. */
const SHIFTED = /\+([A-Za-z0-9+/]*)-?/g;

/** Decodes UTF-7 (RFC 2152), where `+-` is a plus sign. Linear time. The result is not longer than the input. */
function decodeUtf7(bytes: Buffer): string {
  return bytes.toString('latin1').replace(SHIFTED, (_, base64: string) => {
    if (base64 === '') return '+';
    const units = Buffer.from(base64, 'base64');
    // Drops an odd last byte, because it is not a whole UTF-16 unit.
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le');
  });
}
