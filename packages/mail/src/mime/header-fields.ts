import { type ByteString, isBlank, trimBlanks } from './byte-string.js';

const READ_FIELDS: ReadonlySet<string> = new Set([
  'message-id',
  'from',
  'subject',
  'content-type',
  'content-disposition',
  'content-id',
  'content-transfer-encoding',
]);

/** Matches the start of a header: a field's name (RFC 5322 section 2.2), or the separator line of an mbox file. */
const HEADER_START = /^(?:[^\s:]+[ \t]*:|From )/;

/** Maximum number of bytes of a line searched for a field name. The longest registered name has 40 bytes. */
const MAX_NAME_BYTES = 100;

/** The fields of a header, by name in lower case. Values are unfolded and trimmed but not decoded. */
export type HeaderFields = ReadonlyMap<string, ByteString>;

/** Whether a header begins at this line. If not, the sender left out the header and the empty line after it. */
export function beginsHeader(bytes: Buffer, lineStart: number): boolean {
  return HEADER_START.test(bytes.toString('latin1', lineStart, lineStart + MAX_NAME_BYTES));
}

/**
 * The fields of a header that are in `READ_FIELDS`. `header` excludes the empty line at its end. The first of repeated
 * fields counts, so that no later field replaces what the sender wrote. Skips other lines, such as mbox's `From `.
 */
export function splitHeader(header: Buffer): HeaderFields {
  const fields = new Map<string, ByteString>();
  eachField(header, (text, start, colon, end) => {
    const name = trimBlanks(text.slice(start, colon)).toLowerCase();
    if (READ_FIELDS.has(name) && !fields.has(name)) fields.set(name, unfold(text.slice(colon + 1, end)));
    return true;
  });
  return fields;
}

/** Calls `visit` with the offsets of each field's start, colon and end until it returns false. Linear time. */
export function eachField(
  header: Buffer,
  visit: (text: ByteString, start: number, colon: number, end: number) => boolean,
): void {
  const text = header.toString('latin1');
  let colon = -1;
  for (let start = 0; start < text.length; ) {
    const end = fieldEnd(text, start);
    // Keeps the last colon found. Otherwise, each line without a colon would search the rest of the header again.
    if (colon < start) colon = indexOrEnd(text, ':', start);
    if (colon < end && !visit(text, start, colon, end)) return;
    start = end + 1;
  }
}

/** A field ends at a line end unless the next line begins with a blank (RFC 5322 section 2.2.3). */
function fieldEnd(text: ByteString, start: number): number {
  for (let end = start; ; end++) {
    end = indexOrEnd(text, '\n', end);
    if (end === text.length || !isBlank(text, end + 1)) return end;
  }
}

function indexOrEnd(text: string, char: string, from: number): number {
  const index = text.indexOf(char, from);
  return index < 0 ? text.length : index;
}

/** Joins lines by removing only the line ends (RFC 5322 section 2.2.3). A CR within a line becomes a space. */
export function unfold(value: ByteString): ByteString {
  // Removes a final CR: it is part of the last line end, whose LF `value` does not include.
  const written = value.endsWith('\r') ? value.slice(0, -1) : value;
  if (!written.includes('\n') && !written.includes('\r')) return trimBlanks(written);
  return trimBlanks(written.replaceAll('\r\n', '').replaceAll('\n', '').replaceAll('\r', ' '));
}
