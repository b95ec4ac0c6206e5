import { endianness } from 'node:os';

/** A text in lower case as UTF-16 code units. Walking along them is faster than along a string, which may be of many kinds. */
export type Letters = Uint16Array;

/** The letters of a text that is in lower case. */
export function lettersOf(lower: string): Letters {
  const bytes = Buffer.from(lower, 'utf16le');
  if (endianness() === 'BE') bytes.swap16();
  return new Uint16Array(bytes.buffer, bytes.byteOffset, lower.length);
}

/** Punctuation amid letters: × ÷ and the marks of Greek, Armenian, Arabic, Devanagari, Ethiopic and of full width. */
const PUNCTUATION = new Set([
  0xd7, 0xf7, 0x37e, 0x387, 0x589, 0x5be, 0x60c, 0x61b, 0x61f, 0x6d4, 0x964, 0x965, 0x1361, 0x1362, 0x1363, 0x1365,
  0x1366,
]);

/** Letters and marks. Outside ASCII that is everything but spaces, punctuation and symbols. */
function belongsToWords(code: number): boolean {
  if (code < 0x80) return code >= 0x61 && code <= 0x7a;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x200c || code === 0x200d;
  if (code >= 0x3000 && code <= 0x3020) return code >= 0x3005 && code <= 0x3007;
  if (code >= 0xff00 && code <= 0xff20) return false;
  return !PUNCTUATION.has(code);
}

/** Which code units are part of a word, looked up since every one of a text is asked. */
const WORD_CHARACTERS = new Uint8Array(0x10000).map((_, code) => (belongsToWords(code) ? 1 : 0));

/** Whether a code unit is part of a word. */
export function isWordCharacter(code: number | undefined): boolean {
  return WORD_CHARACTERS[code ?? 0] === 1;
}

/** Where the word that begins at `start` ends. */
export function wordEnd(text: Letters, start: number): number {
  let end = start + 1;
  while (end < text.length && isWordCharacter(text[end])) end++;
  return end;
}
