import type { Languages } from './languages.js';

/** Punctuation in the letter blocks of Unicode: × ÷, and marks of Greek, Armenian, Arabic, Devanagari and Ethiopic. */
const PUNCTUATION = new Set([
  0xd7, 0xf7, 0x37e, 0x387, 0x589, 0x5be, 0x60c, 0x61b, 0x61f, 0x6d4, 0x964, 0x965, 0x1361, 0x1362, 0x1363, 0x1365,
  0x1366,
]);

/** Whether a code unit of lower-case text is a letter. Outside ASCII: all except spaces, punctuation and symbols. */
export function isWordCharacter(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x200c || code === 0x200d;
  if (code >= 0x3000 && code <= 0x3020) return code >= 0x3005 && code <= 0x3007;
  if (code >= 0xff00 && code <= 0xff20) return false;
  return !PUNCTUATION.has(code);
}

const MAX_LETTERS = 64 * 1024;

/** Texts up to this length do not use the shared array. */
const MAX_SHORT_CHARS = 256;

/** Shared, because creating a new array for each text would cost as much as searching two lines. */
const units = new Uint16Array(MAX_LETTERS + 1);
const bytes = Buffer.from(units.buffer);
const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;
let holder: Text | null = null;

/** A text to search for words. */
export interface Text {
  /** Must have at most MAX_LETTERS characters. */
  readonly lower: string;
  /** The languages of the text's message. If absent, words of all languages count. */
  readonly languages?: Languages;
}

/**
 * The code units of a text, and a NUL that ends loops over letters. Valid until the next call. Faster than
 * `charCodeAt`, which checks the representation of the string on each call.
 */
export function codeUnits(text: Text): Uint16Array {
  if (text === holder) return units;
  const { lower } = text;
  // A short text, such as a link's title, must not replace the surrounding text, which the next link needs again.
  if (lower.length <= MAX_SHORT_CHARS) return ownUnits(lower);
  if (lower.length > MAX_LETTERS)
    throw new RangeError(`A text of ${lower.length} characters is too long for its letters.`);
  const end = bytes.write(lower, 0, 'utf16le');
  if (IS_BIG_ENDIAN) bytes.subarray(0, end).swap16();
  units[lower.length] = 0;
  holder = text;
  return units;
}

function ownUnits(text: string): Uint16Array {
  const own = new Uint16Array(text.length + 1);
  for (let at = 0; at < text.length; at++) own[at] = text.charCodeAt(at);
  return own;
}

export function wordEnd(units: Uint16Array, start: number): number {
  let end = start + 1;
  while (isWordCharacter(units[end] as number)) end++;
  return end;
}
