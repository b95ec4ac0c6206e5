/** What windows-1252 has at 0x80 to 0x9F (WHATWG Encoding Standard, index windows-1252). */
const C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The Unicode character that a code from 0x80 to 0x9F means in windows-1252. Any other code means itself, as in ISO 8859-1. */
export function windows1252(code: number): number {
  return code >= 0x80 && code <= 0x9f ? C1.charCodeAt(code - 0x80) : code;
}
