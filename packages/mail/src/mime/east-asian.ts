const FIRST_HIGH = 0x80;
const isBetween = (byte: number, first: number, last: number): boolean => byte >= first && byte <= last;

/** Minimum number of characters to detect an encoding: Western text may also have two non-ASCII letters in a row. */
const MIN_CHARACTERS = 5;
const MIN_SHARE = 0.7;

interface Encoding {
  readonly name: string;
  /** The length in bytes of the character that begins with these two bytes; 0 if none does. */
  length(first: number, second: number): number;
  /** Whether the character is one of the common ones that make up most of a text. */
  isCommon(first: number, second: number): boolean;
  readonly minShare: number;
}

function pairOfHigh(first: number, second: number): number {
  return isBetween(first, 0xa1, 0xfe) && isBetween(second, 0xa1, 0xfe) ? 2 : 0;
}

/** Punctuation and symbols are in the first rows of each encoding. */
const LAST_SYMBOL_ROW = 0xa3;

/** The first match counts, so the order matters: Korean text is also valid Chinese, and kana are valid in both. */
const ENCODINGS: readonly Encoding[] = [
  {
    name: 'euc-jp',
    length: pairOfHigh,
    isCommon: (first) => first === 0xa4 || first === 0xa5,
    minShare: 0.25,
  },
  {
    name: 'shift_jis',
    length: (first, second) => {
      if (isBetween(first, 0xa1, 0xdf)) return 1;
      const isFirst = isBetween(first, 0x81, 0x9f) || isBetween(first, 0xe0, 0xfc);
      return isFirst && isBetween(second, 0x40, 0xfc) && second !== 0x7f ? 2 : 0;
    },
    // Full-width kana, and punctuation.
    isCommon: (first) => isBetween(first, 0x81, 0x83),
    minShare: 0.25,
  },
  {
    name: 'euc-kr',
    length: pairOfHigh,
    isCommon: (first) => isBetween(first, 0xb0, 0xc8) || first <= LAST_SYMBOL_ROW,
    minShare: 0.95,
  },
  {
    name: 'gb18030',
    length: pairOfHigh,
    isCommon: (first) => isBetween(first, 0xb0, 0xd7) || first <= LAST_SYMBOL_ROW,
    minShare: MIN_SHARE,
  },
  {
    name: 'big5',
    length: (first, second) =>
      isBetween(first, 0xa1, 0xf9) && (isBetween(second, 0x40, 0x7e) || isBetween(second, 0xa1, 0xfe)) ? 2 : 0,
    isCommon: (first) => isBetween(first, 0xa4, 0xc6) || first <= LAST_SYMBOL_ROW,
    minShare: MIN_SHARE,
  },
];

/** The encoding of non-UTF-8 bytes that are plausible Japanese, Korean or Chinese, or null. Linear time. */
export function eastAsianEncoding(bytes: Uint8Array): string | null {
  return ENCODINGS.find((encoding) => reads(bytes, encoding))?.name ?? null;
}

function reads(bytes: Uint8Array, { length, isCommon, minShare }: Encoding): boolean {
  let characters = 0;
  let common = 0;
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] as number;
    if (first < FIRST_HIGH) continue;
    const second = bytes[at + 1] ?? 0;
    const size = length(first, second);
    if (size === 0) return false;
    characters++;
    if (size === 2 && isCommon(first, second)) common++;
    at += size - 1;
  }
  return characters >= MIN_CHARACTERS && common >= minShare * characters;
}
