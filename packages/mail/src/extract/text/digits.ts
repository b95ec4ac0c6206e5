/** Decimal digits of other scripts in the basic plane. */
const OTHER_DIGITS = /(?![0-9\u{10000}-\u{10ffff}])\p{Nd}/gu;

/**
 * Scripts that have digits of their own. Typographic punctuation is not among them, so that most texts are done here.
 */
const OTHER_SCRIPT = /[\u0660-\u1fff\u2c00-\uffff]/;

/** The text with every decimal digit of the basic plane as an ASCII digit. Its length stays the same. */
export function asciiDigits(text: string): string {
  return OTHER_SCRIPT.test(text) ? text.replace(OTHER_DIGITS, asciiDigit) : text;
}

/** Unicode has the ten digits of a script in a row, which begins at a code that ends in 0 or 6. */
function asciiDigit(digit: string): string {
  const last = digit.charCodeAt(0) % 16;
  return String(/\p{Nd}/u.test(String.fromCharCode(digit.charCodeAt(0) - last)) ? last : last - 6);
}
