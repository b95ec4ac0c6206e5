import { isAsciiLetter } from './alphabets.js';

/** The non-ASCII letters of a language in lower case, and the encodings that are used for it. */
interface Alphabet {
  readonly letters: string;
  readonly encodings: readonly string[];
}

const WESTERN = ['windows-1252'];
const CENTRAL = ['windows-1250', 'iso-8859-2'];
const BALTIC = ['windows-1257'];

/** If two alphabets match a text equally well, the first counts, so common and Western alphabets are first. */
const ALPHABETS: readonly Alphabet[] = [
  // French, Dutch and Catalan; German; Spanish; Portuguese (without õ, whose byte is also Hungarian ő); Italian;
  // Scandinavian and Finnish; Estonian.
  { letters: 'àâæçéèêëîïíóòôœùûüúÿñ', encodings: WESTERN },
  { letters: 'äöüßé', encodings: WESTERN },
  { letters: 'áéíóúñüªº¿¡', encodings: WESTERN },
  { letters: 'áâãàçéêíóôúüªº', encodings: WESTERN },
  { letters: 'àèéìíòóù', encodings: WESTERN },
  { letters: 'åäöæøéüàá', encodings: WESTERN },
  { letters: 'äõöüšž', encodings: WESTERN },
  // Polish; Czech and Slovak; Hungarian; Romanian; Croatian, Bosnian and Slovene.
  { letters: 'ąćęłńóśźż', encodings: CENTRAL },
  { letters: 'áčďéěíňóřšťúůýžäľĺôŕ', encodings: CENTRAL },
  { letters: 'áéíóöőúüű', encodings: CENTRAL },
  { letters: 'ăâîşţ', encodings: CENTRAL },
  { letters: 'čćđšž', encodings: CENTRAL },
  { letters: 'çğıöşüâî', encodings: ['windows-1254'] },
  { letters: 'áéíóúýðþæö', encodings: WESTERN },
  { letters: 'ąčęėįšųūž', encodings: BALTIC },
  { letters: 'āčēģīķļņšūž', encodings: BALTIC },
];

/** Minimum number of letters to detect an encoding. Fewer are not sufficient evidence. */
const MIN_LETTERS = 2;
/** Some letters may not match, because names may come from another language. */
const MIN_SHARE = 0.9;
/** In Latin text, most non-ASCII letters are next to ASCII letters. */
const MIN_SHARE_AMONG_ASCII = 0.6;

/** Characters of windows-1252 that occur in all languages: quotes, dashes, the euro, no-break spaces, signs. */
const MARKS = new Set('€‚„…‘’“”•–—™§©«®°´·»\u00a0\u00ad');

/** The characters 0x80 to 0x9F of windows-1252 (WHATWG Encoding Standard, index windows-1252). */
const C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Number of character codes per call of `String.fromCharCode`, whose arguments must fit on the stack. */
const CODES_AT_ONCE = 4_096;

interface Reading {
  readonly encoding: string;
  readonly bytes: ReadonlySet<number>;
}

/** Created on first use, because few messages need them. */
let readings: readonly Reading[] | null = null;

/** The encoding of non-UTF-8 bytes that are plausible text in a language with Latin letters, or null. Linear time. */
export function latinEncoding(bytes: Uint8Array): string | null {
  const counts = new Uint32Array(0x100);
  let letters = 0;
  let amongAscii = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x80 || isMark(byte)) continue;
    counts[byte] = (counts[byte] as number) + 1;
    letters++;
    if (isAsciiLetter(bytes[at - 1]) || isAsciiLetter(bytes[at + 1])) amongAscii++;
  }
  if (letters < MIN_LETTERS || amongAscii < MIN_SHARE_AMONG_ASCII * letters) return null;
  readings ??= ALPHABETS.flatMap(readingsOf);
  const shares = readings.map((reading) => ({ reading, share: shareOf(reading, counts, letters) }));
  const { reading, share } = shares.reduce((best, one) => (one.share > best.share ? one : best));
  return share >= MIN_SHARE ? reading.encoding : null;
}

function shareOf({ bytes }: Reading, counts: Uint32Array, letters: number): number {
  return counts.reduce((sum, count, byte) => sum + (bytes.has(byte) ? count : 0), 0) / letters;
}

function readingsOf({ letters, encodings }: Alphabet): Reading[] {
  const both = new Set([...letters, ...letters.toUpperCase()]);
  return encodings.map((encoding) => {
    const bytes = Array.from({ length: 0x80 }, (_, i) => 0x80 + i);
    return { encoding, bytes: new Set(bytes.filter((byte) => both.has(characterOf(byte, encoding)))) };
  });
}

function characterOf(byte: number, encoding: string): string {
  if (encoding === 'windows-1252') return String.fromCharCode(windows1252(byte));
  return new TextDecoder(encoding).decode(Uint8Array.of(byte));
}

function isMark(byte: number): boolean {
  return MARKS.has(String.fromCharCode(windows1252(byte)));
}

/** The Unicode code of a windows-1252 byte. Only 0x80 to 0x9F differ from ISO 8859-1. */
function windows1252(code: number): number {
  return code >= 0x80 && code <= 0x9f ? C1.charCodeAt(code - 0x80) : code;
}

/** Needed because TextDecoder decodes windows-1252 as ISO 8859-1 since Node 20.18.3 (nodejs/node issue 56542). */
export function decodeWindows1252(bytes: Buffer): string {
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
