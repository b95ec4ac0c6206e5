import { type ContentHeader, readContentHeader } from './content-header.js';
import { beginsHeader, type HeaderFields, splitHeader } from './header-fields.js';
import { CR, endOfLine, isEmptyLine, LF } from './line-ends.js';
import { type Delimiter, OpenMultiparts } from './multiparts.js';
import { parameter } from './structured-field.js';

/** How much of the message's own header is interpreted; fields further down are passed over. */
const MAX_HEADER_BYTES = 256 * 1024;

/** How much of each part's header is interpreted. */
const MAX_PART_HEADER_BYTES = 16 * 1024;

/** How many parts are read, multiparts included; reading ends at the last of them. */
const MAX_PARTS = 1_000;

/** A text part that is part of the message's body. */
export interface TextPart {
  readonly header: ContentHeader;
  /** Still in its transfer encoding; a view of the message's bytes. */
  readonly content: Buffer;
}

/** A message taken apart. */
export interface Walk {
  /** Of the message's own header. */
  readonly fields: HeaderFields;
  /** In the order of the message. */
  readonly textParts: readonly TextPart[];
  /** Of each part, multiparts included, in the order of the message. Only the message itself where it is no multipart. */
  readonly headers: readonly ContentHeader[];
}

interface HeaderBlock {
  readonly fields: HeaderFields;
  readonly contentStart: number;
  /** The delimiter that cut the header off before an empty line had ended it, or null. */
  readonly delimiter: Delimiter | null;
}

/**
 * Takes a message apart, going through its bytes once. Attachments are passed over and never decoded. So is an embedded
 * message (message/rfc822): it is another mail, attached to this one, and a bounce or a complaint must not supply the code
 * or link of the mail that it returns.
 */
export function walk(bytes: Buffer): Walk {
  const multiparts = new OpenMultiparts();
  const textParts: TextPart[] = [];
  const headers: ContentHeader[] = [];
  const message = readHeaderBlock(bytes, 0, MAX_HEADER_BYTES, multiparts);
  let part = message;
  for (let parts = 1; ; parts++) {
    const header = readContentHeader(part.fields, multiparts.innermost?.mediaType);
    headers.push(header);
    const boundary = header.mediaType.startsWith('multipart/') ? parameter(header.type, 'boundary') : null;
    if (boundary !== null) multiparts.open(header.mediaType, boundary);
    const delimiter = part.delimiter ?? multiparts.nextDelimiter(bytes, part.contentStart);
    if (isBodyText(header)) textParts.push({ header, content: contentOf(bytes, part.contentStart, delimiter) });
    const next = nextPartStart(bytes, delimiter, multiparts);
    if (next >= bytes.length || parts === MAX_PARTS) return { fields: message.fields, textParts, headers };
    part = readHeaderBlock(bytes, next, MAX_PART_HEADER_BYTES, multiparts);
  }
}

/** Reads a header up to an empty line, a delimiter line or the end of the bytes, and interprets `maxBytes` of it at most. */
function readHeaderBlock(bytes: Buffer, start: number, maxBytes: number, multiparts: OpenMultiparts): HeaderBlock {
  const block = (end: number, contentStart: number, delimiter: Delimiter | null) => ({
    fields: splitHeader(bytes.subarray(start, Math.min(end, start + maxBytes))),
    contentStart,
    delimiter,
  });
  for (let line = start; line < bytes.length; ) {
    const lineEnd = endOfLine(bytes, line);
    if (isEmptyLine(bytes, line, lineEnd)) return block(line, lineEnd + 1, null);
    const delimiter = multiparts.delimiterAt(bytes, line, lineEnd);
    if (delimiter !== null || (line === start && !beginsHeader(bytes, line))) return block(line, line, delimiter);
    line = lineEnd + 1;
  }
  return block(bytes.length, bytes.length, null);
}

function isBodyText(header: ContentHeader): boolean {
  return header.isInline && (header.mediaType === 'text/plain' || header.mediaType === 'text/html');
}

/** The line end before a delimiter belongs to that (RFC 2046 section 5.1.1); the message's last one only ends the message. */
function contentOf(bytes: Buffer, start: number, delimiter: Delimiter | null): Buffer {
  let end = delimiter?.lineStart ?? bytes.length;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === CR) end--;
  return bytes.subarray(start, end);
}

/** Where the part after a delimiter begins, or the number of bytes if none follows. */
function nextPartStart(bytes: Buffer, delimiter: Delimiter | null, multiparts: OpenMultiparts): number {
  for (let current = delimiter; current !== null; current = multiparts.nextDelimiter(bytes, current.nextLine)) {
    multiparts.pass(current);
    // What follows a closing delimiter is no part but an epilogue, up to a delimiter of the multipart around it.
    if (!current.closes) return current.nextLine;
  }
  return bytes.length;
}
