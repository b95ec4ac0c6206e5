/** What windows-1252 has at 0x80 to 0x9F (WHATWG Encoding Standard, index windows-1252). */
const C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Character codes made into a string at once: they are arguments, and this many fit on any stack. */
const CODES_AT_ONCE = 4_096;

/** The Unicode character of a code from 0x80 to 0x9F in windows-1252. Other codes mean themselves (ISO 8859-1). */
export function windows1252(code: number): number {
  return code >= 0x80 && code <= 0x9f ? C1.charCodeAt(code - 0x80) : code;
}

/** By hand, since TextDecoder takes windows-1252 for ISO 8859-1 from Node 20.18.3 on (nodejs/node issue 56542). */
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
