import { beginsHeader, type HeaderFields, splitHeader } from './header-fields.js';
import { CR, endOfLine, isEmptyLine, LF } from './line-ends.js';
import { type Delimiter, type Multipart, OpenMultiparts } from './multiparts.js';
import { type ContentHeader, parameter, readContentHeader } from './structured-field.js';

/** Bytes of the message's own header that are interpreted; fields further down are ignored. */
const MAX_HEADER_BYTES = 256 * 1024;

const MAX_PART_HEADER_BYTES = 16 * 1024;

/** Parts read, multiparts included; reading ends with the last of them. */
const MAX_PARTS = 1_000;

/** The first part is the message itself. */
export interface WalkedPart {
  readonly fields: HeaderFields;
  readonly header: ContentHeader;
  /** What is interpreted of its header; a view of the message's bytes. */
  readonly headerBytes: Buffer;
  readonly container: Multipart | undefined;
  /** The multipart that it opens, whose parts come next (see `OpenMultiparts`). */
  readonly opened: Multipart | undefined;
  /** Still encoded; a view of the message's bytes. Of an opened multipart, what precedes its first part. */
  readonly content: Buffer;
}

interface HeaderBlock {
  readonly fields: HeaderFields;
  readonly bytes: Buffer;
  readonly contentStart: number;
  readonly delimiter: Delimiter | null;
}

/**
 * Goes through a message's bytes once and shows each part in order. False if it has more parts than are read. Decodes
 * nothing. Embedded messages (message/rfc822) are skipped: each is another mail, and a bounce or a complaint must not
 * supply the code or link of the mail that it returns.
 */
export function walk(bytes: Buffer, visit: (part: WalkedPart) => void): boolean {
  const multiparts = new OpenMultiparts();
  let part = readHeaderBlock(bytes, 0, MAX_HEADER_BYTES, multiparts);
  for (let parts = 1; ; parts++) {
    const container = multiparts.innermost;
    const header = readContentHeader(part.fields, container?.mediaType);
    const boundary = header.mediaType.startsWith('multipart/') ? parameter(header.type, 'boundary') : null;
    const opened = boundary === null ? undefined : multiparts.open(header.mediaType, boundary);
    const delimiter = part.delimiter ?? multiparts.nextDelimiter(bytes, part.contentStart);
    const content = contentOf(bytes, part.contentStart, delimiter);
    visit({ fields: part.fields, header, headerBytes: part.bytes, container, opened, content });
    const next = nextPartStart(bytes, delimiter, multiparts);
    if (next >= bytes.length) return true;
    if (parts === MAX_PARTS) return false;
    part = readHeaderBlock(bytes, next, MAX_PART_HEADER_BYTES, multiparts);
  }
}

export function isBodyText({ isInline, mediaType }: ContentHeader): boolean {
  return isInline && (mediaType === 'text/plain' || mediaType === 'text/html');
}

function readHeaderBlock(bytes: Buffer, start: number, maxBytes: number, multiparts: OpenMultiparts): HeaderBlock {
  const block = (end: number, contentStart: number, delimiter: Delimiter | null) => {
    const header = bytes.subarray(start, Math.min(end, start + maxBytes));
    return { fields: splitHeader(header), bytes: header, contentStart, delimiter };
  };
  for (let line = start; line < bytes.length; ) {
    const lineEnd = endOfLine(bytes, line);
    if (isEmptyLine(bytes, line, lineEnd)) return block(line, lineEnd + 1, null);
    const delimiter = multiparts.delimiterAt(bytes, line, lineEnd);
    if (delimiter !== null || (line === start && !beginsHeader(bytes, line))) return block(line, line, delimiter);
    line = lineEnd + 1;
  }
  return block(bytes.length, bytes.length, null);
}

/** The line end before a delimiter is the delimiter's (RFC 2046 section 5.1.1); the last one only ends the message. */
function contentOf(bytes: Buffer, start: number, delimiter: Delimiter | null): Buffer {
  let end = delimiter?.lineStart ?? bytes.length;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === CR) end--;
  return bytes.subarray(start, end);
}

function nextPartStart(bytes: Buffer, delimiter: Delimiter | null, multiparts: OpenMultiparts): number {
  for (let current = delimiter; current !== null; current = multiparts.nextDelimiter(bytes, current.nextLine)) {
    multiparts.pass(current);
    // What follows a closing delimiter is no part but an epilogue, up to a delimiter of the multipart around it.
    if (!current.closes) return current.nextLine;
  }
  return bytes.length;
}
