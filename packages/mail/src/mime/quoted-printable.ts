import { CR, endOfLine, isPadding, LF, paddingStart } from './line-ends.js';

const EQUALS = 0x3d;
const EQUALS_FOUR_TIMES = 0x3d3d3d3d;
const ONE_FOUR_TIMES = 0x01010101;
const HIGHEST_BIT_FOUR_TIMES = 0x80808080 | 0;

/** The value in `HEX_DIGITS` of a byte that is not a hexadecimal digit. */
const NO_DIGIT = 16;

/** The value of each byte as a hexadecimal digit in either case. */
const HEX_DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});

/**
 * Decodes quoted-printable into a buffer up to its size, and returns the number of bytes. Joins soft line breaks, drops
 * blanks at line ends (RFC 2045 section 6.7, rule 3), and keeps malformed escapes. Lines end in CRLF or LF.
 */
export function decodeQuotedPrintable(content: Buffer, decoded: Uint8Array): number {
  const bytes = hasPadding(content) ? withoutPadding(content) : content;
  const source = viewOf(bytes);
  const target = viewOf(decoded);
  let length = 0;
  let index = 0;
  while (length < decoded.length && index < bytes.length) {
    if (bytes[index] !== EQUALS) {
      const end = Math.min(bytes.length, index + decoded.length - length);
      const copied = copyUpToEquals(source, index, end, target, length);
      length += copied;
      index += copied;
      continue;
    }

    const octet = octetAt(bytes, index + 1);
    const nextLine = octet === null ? afterSoftBreak(bytes, index + 1) : null;
    if (nextLine === null) decoded[length++] = octet ?? EQUALS;
    index = nextLine ?? index + (octet === null ? 1 : 3);
  }
  return length;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Copies up to the first `=` or `end`, and returns the length. Copies four bytes at a time: native calls are slower for
 * the short distances between `=`, and copying single bytes would take most of the time for parsing a message.
 */
function copyUpToEquals(source: DataView, start: number, end: number, target: DataView, to: number): number {
  const distance = to - start;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const four = source.getInt32(at, true);
    // XOR turns `=` into zero. Subtracting one from each byte then sets a highest bit only where a byte was zero.
    const zeroed = four ^ EQUALS_FOUR_TIMES;
    if (((zeroed - ONE_FOUR_TIMES) & ~zeroed & HIGHEST_BIT_FOUR_TIMES) !== 0) break;
    target.setInt32(at + distance, four, true);
  }
  for (; at < end; at++) {
    const byte = source.getUint8(at);
    if (byte === EQUALS) break;
    target.setUint8(at + distance, byte);
  }
  return at - start;
}

/** Whether any line has more than one CR, or blanks, before its LF. */
function hasPadding(content: Buffer): boolean {
  for (let end = content.indexOf(LF); end >= 0; end = content.indexOf(LF, end + 1)) {
    const last = content[end - 1] === CR ? content[end - 2] : content[end - 1];
    if (last !== undefined && isPadding(last)) return true;
  }
  return false;
}

function withoutPadding(content: Buffer): Buffer {
  const stripped = Buffer.allocUnsafe(content.length);
  let length = 0;
  for (let start = 0; start < content.length; ) {
    const end = endOfLine(content, start);
    const textEnd = end < content.length ? Math.max(start, paddingStart(content, end)) : end;
    length += content.copy(stripped, length, start, textEnd);
    if (end < content.length) {
      // Keeps the line end, so that a saved file equals the original.
      if (end > start && content[end - 1] === CR) stripped[length++] = CR;
      stripped[length++] = LF;
    }
    start = end + 1;
  }
  return stripped.subarray(0, length);
}

function octetAt(bytes: Buffer, index: number): number | null {
  const high = HEX_DIGITS[bytes[index] ?? 0] as number;
  const low = HEX_DIGITS[bytes[index + 1] ?? 0] as number;
  return high === NO_DIGIT || low === NO_DIGIT ? null : (high << 4) | low;
}

/** The start of the next line if only padding is between `from` and the line end; null otherwise. */
function afterSoftBreak(bytes: Buffer, from: number): number | null {
  let index = from;
  while (index < bytes.length && isPadding(bytes[index] as number)) index++;
  if (index === bytes.length) return index;
  return bytes[index] === LF ? index + 1 : null;
}
