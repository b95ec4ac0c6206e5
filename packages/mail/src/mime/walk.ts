import type { ByteString } from './byte-string.js';
import { beginsHeader, type HeaderFields, splitHeader } from './header-fields.js';
import { CR, endOfLine, isEmptyLine, LF } from './line-ends.js';
import { type Delimiter, type Multipart, OpenMultiparts } from './multiparts.js';
import { portionDecoder } from './portions.js';
import { type ContentHeader, parameter, readContentHeader, type StructuredField } from './structured-field.js';

/** Limit for the message's header. Fields after this limit are ignored. */
const MAX_HEADER_BYTES = 256 * 1024;

const MAX_PART_HEADER_BYTES = 16 * 1024;

/** Maximum number of parts, including multiparts. Further parts are not read. */
const MAX_PARTS = 1_000;

/** Maximum number of repairs of multiparts without a delimiter, because each repair requires a search. */
const MAX_REPAIRS = 16;

/** Maximum number of bytes searched for an undeclared boundary. */
const MAX_PREAMBLE_BYTES = 16 * 1024;

/** Number of bytes examined to decide whether a text without a type is HTML, and whether content is blank. */
const MAX_SHOWING_BYTES = 1024;

/** A part of the message. The first part is the message itself. */
export interface WalkedPart {
  readonly fields: HeaderFields;
  readonly header: ContentHeader;
  /** The bytes of the header, up to the limit; a view of the message's bytes. */
  readonly headerBytes: Buffer;
  readonly container: Multipart | undefined;
  /** The multipart that the part opens (see `OpenMultiparts`). */
  readonly opened: Multipart | undefined;
  /** Not decoded; a view of the message's bytes. For an opened multipart, the text before its first part. */
  readonly content: Buffer;
}

interface HeaderBlock {
  readonly fields: HeaderFields;
  readonly bytes: Buffer;
  readonly contentStart: number;
  readonly delimiter: Delimiter | null;
}

/**
 * Visits each part of a message in order, in one pass, without decoding. Returns false if there are more than
 * `MAX_PARTS`. Does not enter embedded messages (message/rfc822): the code or link of a message must not be found in
 * the bounce or complaint that returns it.
 */
export function walk(bytes: Buffer, visit: (part: WalkedPart) => void): boolean {
  const multiparts = new OpenMultiparts();
  let part = readHeaderBlock(bytes, 0, MAX_HEADER_BYTES, multiparts);
  let repairs = 0;
  for (let parts = 1; ; parts++) {
    const container = multiparts.innermost;
    let body = bodyOf(bytes, part, multiparts, readContentHeader(part.fields, container?.mediaType));
    if (lacksDelimiter(body) && repairs++ < MAX_REPAIRS) {
      const isHeaded = BEGINS_PART.test(beginningOf(body.content));
      body = repaired(bytes, part, multiparts, body);
      if (body.opened === undefined && isHeaded) {
        part = withOuter(part, readHeaderBlock(bytes, part.contentStart, MAX_PART_HEADER_BYTES, multiparts));
        continue;
      }
    }
    const { header, opened, delimiter, content } = body;
    visit({ fields: part.fields, header, headerBytes: part.bytes, container, opened, content });
    const next = nextPartStart(bytes, delimiter, multiparts);
    if (next >= bytes.length) return true;
    if (parts === MAX_PARTS) return false;
    part = readHeaderBlock(bytes, next, MAX_PART_HEADER_BYTES, multiparts);
  }
}

interface PartBody extends Pick<WalkedPart, 'header' | 'opened' | 'content'> {
  readonly delimiter: Delimiter | null;
}

/** Reads a part's body up to the next delimiter, and opens the multipart that the header declares. */
function bodyOf(bytes: Buffer, part: HeaderBlock, multiparts: OpenMultiparts, header: ContentHeader): PartBody {
  const opened = isMultipart(header) ? multiparts.open(header.mediaType, boundaryOf(header)) : undefined;
  const delimiter = part.delimiter ?? multiparts.nextDelimiter(bytes, part.contentStart);
  const content = contentOf(bytes, part.contentStart, delimiter);
  if (opened === undefined || delimiter?.multipart !== opened || !delimiter.closes || !isBlank(content))
    return { header, opened, delimiter, content };
  // A closing delimiter before the first part is ignored.
  const next = multiparts.nextDelimiter(bytes, delimiter.nextLine);
  return { header, opened, delimiter: next, content: contentOf(bytes, delimiter.nextLine, next) };
}

function isMultipart({ mediaType }: ContentHeader): boolean {
  return mediaType.startsWith('multipart/');
}

function boundaryOf({ type }: ContentHeader): ByteString {
  return parameter(type, 'boundary') ?? '';
}

/** Whether a multipart has no delimiter. False for a multipart that is too deep or whose boundary is too long. */
function lacksDelimiter({ header, opened, delimiter, content }: PartBody): boolean {
  if (!isMultipart(header)) return false;
  return (opened === undefined ? boundaryOf(header).trim() === '' : !isOpening(delimiter, opened)) && !isBlank(content);
}

/** Repairs a multipart without its declared delimiter: uses a boundary found in the content, or reads a single part. */
function repaired(
  bytes: Buffer,
  { contentStart }: HeaderBlock,
  multiparts: OpenMultiparts,
  { header, opened, delimiter, content }: PartBody,
): PartBody {
  if (opened !== undefined) multiparts.close();
  const boundary = boundaryIn(content);
  if (boundary !== null) {
    const found = multiparts.open(header.mediaType, boundary);
    const first = multiparts.nextDelimiter(bytes, contentStart);
    return { header, opened: found, delimiter: first, content: contentOf(bytes, contentStart, first) };
  }
  const isOwn = delimiter !== null && delimiter.multipart === opened;
  return {
    header: { ...header, mediaType: typeOf(content, header), type: onlyCharset(header.type) },
    opened: undefined,
    delimiter: isOwn ? multiparts.nextDelimiter(bytes, delimiter.nextLine) : delimiter,
    content,
  };
}

/** Drops all parameters but the charset: the `name` of a multipart must not become the file name of its text. */
function onlyCharset({ token, parameters }: StructuredField): StructuredField {
  return { token, parameters: new Map([...parameters].filter(([name]) => name.startsWith('charset'))) };
}

function isOpening(delimiter: Delimiter | null, opened: Multipart): boolean {
  return delimiter !== null && delimiter.multipart === opened && !delimiter.closes;
}

function isBlank(content: Buffer): boolean {
  return beginningOf(content).trim() === '';
}

function beginningOf(content: Buffer): ByteString {
  return content.toString('latin1', 0, MAX_SHOWING_BYTES);
}

const BEGINS_PART = /^\s*content-[a-z-]{1,40}[ \t]*:/i;
/** Matches a possible delimiter of an undeclared boundary. Requires a letter or digit, which decorative lines lack. */
const DASHED_LINE = /^--(?=[^\s]*[A-Za-z\d])([^\r\n]*)\r?\n/m;

/**
 * The boundary that a multipart actually uses if its declaration is mistyped, empty or missing; null if none is found.
 * Requires a header after the boundary, or a closing line, because other lines that begin with dashes are text.
 */
function boundaryIn(content: Buffer): ByteString | null {
  const preamble = content.toString('latin1', 0, MAX_PREAMBLE_BYTES);
  const line = DASHED_LINE.exec(preamble);
  if (line === null) return null;
  const [written, rest = ''] = line;
  const boundary = rest.trimEnd();
  if (BEGINS_PART.test(preamble.slice(line.index + written.length))) return boundary;
  return content.includes(`\n--${boundary}--`, 0, 'latin1') ? boundary : null;
}

/** Merges the header of a part into the header of its multipart if no delimiter separates the two. */
function withOuter(outer: HeaderBlock, part: HeaderBlock): HeaderBlock {
  const inner = [...part.fields].filter(([name]) => name.startsWith('content-'));
  return { ...part, fields: new Map([...outer.fields, ...inner]), bytes: outer.bytes };
}

const BEGINS_HTML = /^[\s\u00ef\u00bb\u00bf]*<(?:!doctype|!--|[a-z][a-z\d]{0,15})[\s>-]/i;

/** Guesses the media type of a text that declares none. */
function typeOf(content: Buffer, { transferEncoding }: ContentHeader): string {
  const decoded = portionDecoder(transferEncoding)(content.subarray(0, MAX_SHOWING_BYTES));
  return BEGINS_HTML.test(decoded.toString('latin1')) ? 'text/html' : 'text/plain';
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

/** Excludes the last line end: a line end before a delimiter is part of the delimiter (RFC 2046 section 5.1.1). */
function contentOf(bytes: Buffer, start: number, delimiter: Delimiter | null): Buffer {
  let end = delimiter?.lineStart ?? bytes.length;
  if (end > start && bytes[end - 1] === LF) end--;
  if (end > start && bytes[end - 1] === CR) end--;
  return bytes.subarray(start, end);
}

function nextPartStart(bytes: Buffer, delimiter: Delimiter | null, multiparts: OpenMultiparts): number {
  for (let current = delimiter; current !== null; current = multiparts.nextDelimiter(bytes, current.nextLine)) {
    multiparts.pass(current);
    // After a closing delimiter, the epilogue extends to a delimiter of the outer multipart.
    if (!current.closes) return current.nextLine;
  }
  return bytes.length;
}
