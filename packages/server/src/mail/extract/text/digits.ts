/** Where the decimal digits of other scripts begin in Unicode (Nd in the basic plane): each has ten in a row. */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
];

const ASCII_DIGITS = new Map(
  ZEROS.flatMap((zero) => Array.from({ length: 10 }, (_, i) => [String.fromCharCode(zero + i), String(i)] as const)),
);

const OTHER_DIGITS = new RegExp(`[${[...ASCII_DIGITS.keys()].join('')}]+`, 'g');

/**
 * Scripts that have digits of their own. Typographic punctuation is not among them, so that most texts are done here.
 */
const OTHER_SCRIPT = /[\u0660-\u1fff\u2c00-\uffff]/;

/** The text with every decimal digit of the basic plane as an ASCII digit. Its length stays the same. */
export function asciiDigits(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text;
  return text.replace(OTHER_DIGITS, (digits) => {
    let ascii = '';
    for (let i = 0; i < digits.length; i++) ascii += ASCII_DIGITS.get(digits[i] as string);
    return ascii;
  });
}
