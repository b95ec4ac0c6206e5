/**
 * The bytes of о е а и н т с р в л, which make up two thirds of any text in Russian, Ukrainian and Bulgarian. In Greek, Hebrew, Arabic,
 * Chinese and Korean text the same bytes are a third or less.
 */
const FREQUENT: readonly (readonly [encoding: string, letters: ReadonlySet<number>])[] = [
  ['windows-1251', new Set([0xee, 0xe5, 0xe0, 0xe8, 0xed, 0xf2, 0xf1, 0xf0, 0xe2, 0xeb])],
  ['koi8-r', new Set([0xcf, 0xc5, 0xc1, 0xc9, 0xce, 0xd4, 0xd3, 0xd2, 0xd7, 0xcc])],
];

/** Letters beyond ASCII: both encodings have theirs here, apart from a few that are rare. */
const FIRST_LETTER = 0xc0;

/** Fewer letters tell nothing. */
const MIN_LETTERS = 5;
/** So much of all letters beyond ASCII stands beside another one: in Western languages they stand alone among those of ASCII. */
const MIN_SHARE_IN_RUNS = 0.75;
const MIN_SHARE_OF_FREQUENT = 0.5;

/** The encoding of bytes that are no UTF-8 and read as Cyrillic text, or null. Linear. */
export function cyrillicEncoding(bytes: Uint8Array): string | null {
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
  const shareOf = (frequent: ReadonlySet<number>) =>
    counts.reduce((sum, count, byte) => sum + (frequent.has(byte) ? count : 0), 0) / letters;
  return FREQUENT.find(([, frequent]) => shareOf(frequent) >= MIN_SHARE_OF_FREQUENT)?.[0] ?? null;
}
