import { isPadding, LF, paddingStart } from './lines.js';

const EQUALS = 0x3d;

/** What `hexDigit` says of a byte that is none. */
const NO_DIGIT = 16;

/**
 * Undoes quoted-printable, up to `maxBytes` bytes of result: soft line breaks are joined, blanks at the end of a line dropped
 * (RFC 2045 section 6.7, rule 3), and what is malformed is kept as it stands. Lines end in LF.
 */
export function decodeQuotedPrintable(content: Buffer, maxBytes: number): Buffer {
  const decoded = Buffer.allocUnsafe(Math.min(maxBytes, content.length));
  let length = 0;
  let index = 0;
  while (index < content.length && length < decoded.length) {
    // Most of a body is plain characters; a run of them that ends where the room may end needs no other check.
    const runEnd = Math.min(content.length, index + decoded.length - length);
    for (; index < runEnd; index++) {
      const byte = content[index] as number;
      if (byte === EQUALS || byte === LF) break;
      decoded[length++] = byte;
    }
    if (index === runEnd) continue;

    const octet = octetAt(content, index + 1);
    if (content[index] === LF) {
      // Blanks before a line's end stand in the decoded text as they are, for nothing that was encoded ends in one.
      length -= index - paddingStart(content, index);
      decoded[length++] = LF;
      index++;
    } else if (octet !== null) {
      decoded[length++] = octet;
      index += 3;
    } else {
      const nextLine = afterSoftBreak(content, index + 1);
      if (nextLine === null) decoded[length++] = EQUALS;
      index = nextLine ?? index + 1;
    }
  }
  return decoded.subarray(0, length);
}

/** The octet that two hexadecimal digits stand for, or null if they are none. */
function octetAt(content: Buffer, index: number): number | null {
  if (index + 1 >= content.length) return null;
  const high = hexDigit(content[index] as number);
  const low = hexDigit(content[index + 1] as number);
  return high === NO_DIGIT || low === NO_DIGIT ? null : (high << 4) | low;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lowerCase = byte | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x66 ? lowerCase - 0x61 + 10 : NO_DIGIT;
}

/** Where the next line begins if nothing but padding stands between here and the line's end, or null. */
function afterSoftBreak(content: Buffer, from: number): number | null {
  let index = from;
  while (index < content.length && isPadding(content[index] as number)) index++;
  if (index === content.length) return index;
  return content[index] === LF ? index + 1 : null;
}
