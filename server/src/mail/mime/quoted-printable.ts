import { endOfLine, isPadding, LF, paddingStart } from './lines.js';

/** Two hexadecimal digits, either case. */
const OCTET = /^[0-9A-Fa-f]{2}$/;

/**
 * Undoes quoted-printable, up to `maxBytes` bytes of result: soft line breaks are joined, blanks at the end of a line
 * dropped (RFC 2045 section 6.7, rule 3), and what is malformed is kept as it stands. Lines end in LF.
 *
 * It works on a string with a character a byte: there the search for the next equals sign and taking over what lies before
 * it cost a fifth of what they cost on bytes.
 */
export function decodeQuotedPrintable(content: Buffer, maxBytes: number): Buffer {
  const source = withPlainLineEnds(content);
  let decoded = '';
  let index = 0;
  while (decoded.length < maxBytes) {
    const equals = source.indexOf('=', index);
    if (equals < 0) {
      decoded += source.slice(index);
      break;
    }
    decoded += source.slice(index, equals);
    const digits = source.slice(equals + 1, equals + 3);
    if (OCTET.test(digits)) {
      decoded += String.fromCharCode(Number.parseInt(digits, 16));
      index = equals + 3;
    } else {
      const nextLine = afterSoftBreak(source, equals + 1);
      if (nextLine === null) decoded += '=';
      index = nextLine ?? equals + 1;
    }
  }
  return Buffer.from(decoded.slice(0, maxBytes), 'latin1');
}

/** The content, a character a byte, with its lines ending in LF and no padding before it. */
function withPlainLineEnds(content: Buffer): string {
  const text = content.toString('latin1').replaceAll('\r\n', '\n');
  return hasPadding(text) ? withoutPadding(content).toString('latin1') : text;
}

function hasPadding(text: string): boolean {
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (end > 0 && isPadding(text.charCodeAt(end - 1))) return true;
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

/** Where the next line begins if nothing but padding stands between here and the line's end, or null. */
function afterSoftBreak(source: string, from: number): number | null {
  let index = from;
  while (index < source.length && isPadding(source.charCodeAt(index))) index++;
  if (index === source.length) return index;
  return source.charCodeAt(index) === LF ? index + 1 : null;
}
