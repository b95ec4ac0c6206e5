import { CR, endOfLine, indexOfByte, isPadding, LF, NEARBY_BYTES, paddingStart } from './line-ends.js';

const EQUALS = 0x3d;

/** What `HEX_DIGITS` has for a byte that is no hexadecimal digit. */
const NO_DIGIT = 16;

/** The value of each byte as a hexadecimal digit, either case. */
const HEX_DIGITS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});

/**
 * Undoes quoted-printable, up to `maxBytes` bytes of result: soft line breaks are joined, blanks at the end of a line
 * dropped (RFC 2045 section 6.7, rule 3), and what is malformed is kept as it stands. Lines end in CRLF or LF.
 */
export function decodeQuotedPrintable(content: Buffer, maxBytes: number): Buffer {
  // A copy that is decoded where it is: the result is never longer, and moving within is the fastest way to take bytes over.
  const bytes = hasPadding(content) ? withoutPadding(content) : Buffer.from(content);
  let length = 0;
  let index = 0;
  while (length < maxBytes) {
    const equals = indexOfByte(bytes, EQUALS, index);
    moveWithin(bytes, length, index, equals);
    length += equals - index;
    if (equals === bytes.length) break;

    const octet = octetAt(bytes, equals + 1);
    const nextLine = octet === null ? afterSoftBreak(bytes, equals + 1) : null;
    if (nextLine === null) bytes[length++] = octet ?? EQUALS;
    index = nextLine ?? equals + (octet === null ? 1 : 3);
  }
  return bytes.subarray(0, Math.min(length, maxBytes));
}

/** Moves bytes towards the front. A native call costs more than the few bytes between two letters that are encoded. */
function moveWithin(bytes: Buffer, target: number, start: number, end: number): void {
  if (end - start > NEARBY_BYTES) bytes.copyWithin(target, start, end);
  else for (let index = start; index < end; index++) bytes[target + index - start] = bytes[index] as number;
}

/** Whether anything but one CR stands between the text of a line and its LF. */
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
    if (end < content.length) stripped[length++] = LF;
    start = end + 1;
  }
  return stripped.subarray(0, length);
}

/** The octet that two hexadecimal digits stand for, or null if they are none. */
function octetAt(bytes: Buffer, index: number): number | null {
  const high = HEX_DIGITS[bytes[index] ?? 0] as number;
  const low = HEX_DIGITS[bytes[index + 1] ?? 0] as number;
  return high === NO_DIGIT || low === NO_DIGIT ? null : (high << 4) | low;
}

/** Where the next line begins if nothing but padding stands between here and the line's end, or null. */
function afterSoftBreak(bytes: Buffer, from: number): number | null {
  let index = from;
  while (index < bytes.length && isPadding(bytes[index] as number)) index++;
  if (index === bytes.length) return index;
  return bytes[index] === LF ? index + 1 : null;
}
