/**
 * The bytes of the ten letters that make up half to two thirds of any text: in Russian, Ukrainian and Bulgarian
 * о е а и н т с р в л, in Greek α ο ι ε τ σ ν η υ ρ, in Hebrew ו י ה ל א ת ר מ ב ש, in Arabic ا ل ي م ن ت ر و ب ه.
 * In text of another of these, and in Chinese and Korean, the same bytes are two fifths or less.
 */
const FREQUENT: readonly (readonly [encoding: string, letters: ReadonlySet<number>])[] = [
  ['windows-1251', new Set([0xee, 0xe5, 0xe0, 0xe8, 0xed, 0xf2, 0xf1, 0xf0, 0xe2, 0xeb])],
  ['koi8-r', new Set([0xcf, 0xc5, 0xc1, 0xc9, 0xce, 0xd4, 0xd3, 0xd2, 0xd7, 0xcc])],
  ['windows-1253', new Set([0xe1, 0xef, 0xe9, 0xe5, 0xf4, 0xf3, 0xed, 0xe7, 0xf5, 0xf1])],
  ['windows-1255', new Set([0xe5, 0xe9, 0xe4, 0xec, 0xe0, 0xfa, 0xf8, 0xee, 0xe1, 0xf9])],
  ['windows-1256', new Set([0xc7, 0xe1, 0xed, 0xe3, 0xe4, 0xca, 0xd1, 0xe6, 0xc8, 0xe5])],
];

/** Letters beyond ASCII: these encodings have theirs here, apart from a few that are rare. */
const FIRST_LETTER = 0xc0;

/** Fewer letters tell nothing. */
const MIN_LETTERS = 5;
/** The share of letters beyond ASCII beside another one: in Western languages they stand alone among ASCII letters. */
const MIN_SHARE_IN_RUNS = 0.75;
const MIN_SHARE_OF_FREQUENT = 0.5;

/** The encoding of bytes that are no UTF-8 and read as Cyrillic, Greek, Hebrew or Arabic text, or null. Linear. */
export function alphabetEncoding(bytes: Uint8Array): string | null {
  const counts = new Uint32Array(0x100);
  let letters = 0;
  let inRuns = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < FIRST_LETTER) continue;
    counts[byte] = (counts[byte] as number) + 1;
    letters++;
    if ((bytes[at - 1] ?? 0) >= FIRST_LETTER || (bytes[at + 1] ?? 0) >= FIRST_LETTER) inRuns++;
  }
  if (letters < MIN_LETTERS || inRuns < MIN_SHARE_IN_RUNS * letters) return null;
  const shares = FREQUENT.map(([encoding, frequent]) => ({ encoding, share: shareOf(frequent, counts, letters) }));
  const { encoding, share } = shares.reduce((best, one) => (one.share > best.share ? one : best));
  return share >= MIN_SHARE_OF_FREQUENT ? encoding : null;
}

function shareOf(frequent: ReadonlySet<number>, counts: Uint32Array, letters: number): number {
  return counts.reduce((sum, count, byte) => sum + (frequent.has(byte) ? count : 0), 0) / letters;
}
