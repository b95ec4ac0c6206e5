/** An encoding and the letters of a language, most frequent first. */
type Alphabet = readonly [encoding: string, letters: string];

const RUSSIAN = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';
const UKRAINIAN = 'оанивіетрслкудмпяьзбгчхцюжїйшєфщґ';
const ARABIC = 'الينمرتوبةعدسفهكقأحجشصطخىضإثآذغزظئءؤ';

const THAI = 'านรอกเงม่ย้ลวีสัทิตดคหแปพ์ขใะไจื็ถชุูผบโซญณฟธศภฉษฎฐฝำึฮๆฤฯ';

const ALPHABETS: readonly Alphabet[] = [
  ['windows-1251', RUSSIAN],
  ['windows-1251', UKRAINIAN],
  // Bulgarian, then Serbian and Macedonian.
  ['windows-1251', 'аеиотнрсвлкпдмзяъубгчщжцйшхюьф'],
  ['windows-1251', 'аиоенсрјтвукдмлпгзбшчцћжљњђхџфѓќѕ'],
  // KOI8-U includes the letters of KOI8-R.
  ['koi8-u', RUSSIAN],
  ['koi8-u', UKRAINIAN],
  ['iso-8859-5', RUSSIAN],
  ['windows-1253', 'αοιετσνηυρπκμλςωόίάγδέήχθφύώξβζψϋΐΰ'],
  ['windows-1255', 'יוהלאתרמבשקדנחעפטגכםצסזןךףץ'],
  ['windows-1256', ARABIC],
  ['iso-8859-6', ARABIC],
  ['windows-874', THAI],
];

/** Minimum number of letters to detect an encoding. Fewer are not sufficient evidence. */
const MIN_LETTERS = 5;
/** Of the non-ASCII letters: minimum share next to each other; maximum share next to ASCII letters (more in Latin). */
const MIN_SHARE_IN_RUNS = 0.75;
const MAX_SHARE_BESIDE_ASCII = 0.3;

/**
 * The cost of a letter in bits: the logarithm of its frequency rank. Text costs 2.5 to 3.3 bits per letter if read in
 * its own alphabet, and more than 4 if read in another.
 */
const costOf = (place: number) => Math.log2(place + 2);
const MAX_MEAN_COST = 3.9;
/** Higher for Thai, because its text has twice as many different characters, including vowels and tone marks. */
const MAX_MEAN_COST_OF_THAI = 4.3;
/** The cost of a byte that is not a letter of the language. */
const FOREIGN_COST = 10;
/** The extra cost of a capital letter, and of a capital letter after a small letter. */
const CAPITAL_COST = 0.5;
const INNER_CAPITAL_COST = 3;

interface Letter {
  readonly cost: number;
  readonly isCapital: boolean;
}

type Reading = readonly [encoding: string, letters: readonly (Letter | undefined)[]];

/** Created on first use, because few messages need them. */
let readings: readonly Reading[] | null = null;

/** The encoding of non-UTF-8 bytes that are plausible Cyrillic, Greek, Hebrew, Arabic or Thai, or null. Linear time. */
export function alphabetEncoding(bytes: Uint8Array): string | null {
  let letters = 0;
  let inRuns = 0;
  let besideAscii = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (!isLetter(bytes[at])) continue;
    letters++;
    if (isLetter(bytes[at - 1]) || isLetter(bytes[at + 1])) inRuns++;
    if (isAsciiLetter(bytes[at - 1]) || isAsciiLetter(bytes[at + 1])) besideAscii++;
  }
  if (letters < MIN_LETTERS || inRuns < MIN_SHARE_IN_RUNS * letters) return null;
  if (besideAscii > MAX_SHARE_BESIDE_ASCII * letters) return null;
  readings ??= ALPHABETS.map(readingOf);
  const costs = readings.map((reading) => ({ encoding: reading[0], cost: costIn(reading, bytes) }));
  const { encoding, cost } = costs.reduce((best, one) => (one.cost < best.cost ? one : best));
  const maxMean = encoding === 'windows-874' ? MAX_MEAN_COST_OF_THAI : MAX_MEAN_COST;
  return cost <= maxMean * letters ? encoding : null;
}

function costIn([, letters]: Reading, bytes: Uint8Array): number {
  let cost = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (!isLetter(byte)) continue;
    const letter = letters[byte];
    if (letter === undefined) cost += FOREIGN_COST;
    else cost += letter.cost + (letter.isCapital ? capitalCost(letters, bytes[at - 1]) : 0);
  }
  return cost;
}

/** Words may be all capitals, so only a capital after a small letter is suspicious. */
function capitalCost(letters: Reading[1], before: number | undefined): number {
  const isAfterSmall = before !== undefined && letters[before]?.isCapital === false;
  return isAfterSmall ? INNER_CAPITAL_COST : CAPITAL_COST;
}

function readingOf([encoding, order]: Alphabet): Reading {
  const letters = new Array<Letter | undefined>(0x100).fill(undefined);
  const decoder = new TextDecoder(encoding);
  for (let byte = 0x80; byte <= 0xff; byte++) {
    const letter = decoder.decode(Uint8Array.of(byte));
    const small = letter.toLowerCase();
    const place = order.indexOf(small);
    if (place >= 0) letters[byte] = { cost: costOf(place), isCapital: small !== letter };
  }
  return [encoding, letters];
}

/** Bytes with the same meaning in all of these encodings except KOI8: no-break spaces, guillemets, dashes, signs. */
const MARKS = new Set([
  0x80, 0x82, 0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0xa0, 0xa7, 0xa9, 0xab, 0xad, 0xae, 0xb0,
  0xb9, 0xbb,
]);

function isLetter(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= 0x80 && !MARKS.has(byte);
}

export function isAsciiLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));
}
