import { withLineFeeds } from '../text.js';
import { decodeBase64 } from './base64.js';
import { decodeCharset, type Extent } from './charset.js';
import { decodeQuotedPrintable } from './quoted-printable.js';
import { parameter } from './structured-field.js';
import { decodeUuencode } from './uuencode.js';
import type { WalkedPart } from './walk.js';

type TextPart = Pick<WalkedPart, 'header' | 'content'>;

/** Limit for the decoded bytes of all parts of one media type. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** Decoders by transfer encoding. Each decodes into a buffer and returns the number of bytes. */
const DECODERS: ReadonlyMap<string, (content: Buffer, decoded: Uint8Array) => number> = new Map([
  ['base64', decodeBase64],
  ['quoted-printable', decodeQuotedPrintable],
  // Non-standard names that programs older than MIME use.
  ['x-uuencode', decodeUuencode],
  ['x-uue', decodeUuencode],
  ['uuencode', decodeUuencode],
]);

/** HTML must declare its charset within these bytes (HTML standard, section 4.2.5.4). */
const META_BYTES = 1024;

/** Matches `<meta charset=…>` as well as `<meta http-equiv=… content="…; charset=…">`. */
const META_CHARSET = /<meta\s[^<>]*?charset\s*=\s*["']?([^\s"'<>;/]+)/i;

type BodyType = 'text/plain' | 'text/html';

/** The joined texts of all parts of a media type, with LF line ends, up to `MAX_TEXT_BYTES`; null without such a part. */
export function joinText(parts: readonly TextPart[], mediaType: BodyType): string | null {
  return decodedParts(parts, mediaType, inReadableLines)?.join('\n') ?? null;
}

/** For each part of a media type, its text with the original line ends, limited as in `joinText`; null if none. */
export function sentTexts(parts: readonly TextPart[], mediaType: BodyType): string[] | null {
  return decodedParts(parts, mediaType, (text) => text);
}

function decodedParts(
  parts: readonly TextPart[],
  mediaType: BodyType,
  inLines: (text: string, part: TextPart) => string,
): string[] | null {
  const chosen = parts.filter((part) => part.header.mediaType === mediaType);
  if (chosen.length === 0) return null;
  const texts: string[] = [];
  let bytesLeft = MAX_TEXT_BYTES;
  for (const part of chosen) {
    const bytes = decodeTransfer(part, bytesLeft);
    bytesLeft -= bytes.length;
    if (bytes.length > 0) texts.push(inLines(decodePart(part, bytes, bytesLeft === 0 ? 'cut' : 'whole'), part));
    if (bytesLeft === 0) break;
  }
  return texts;
}

/** Up to this size, all messages share a buffer, because collecting a buffer per message costs more than decoding. */
const MAX_KEPT_BYTES = 64 * 1024;

const kept = Buffer.allocUnsafeSlow(MAX_KEPT_BYTES);

/** Returns a buffer that is valid until the next call. */
function room(bytes: number): Buffer {
  return bytes <= MAX_KEPT_BYTES ? kept.subarray(0, bytes) : Buffer.allocUnsafeSlow(bytes);
}

/** Undoes the Content-Transfer-Encoding (RFC 2045 section 6), if known. The result is valid until the next call. */
function decodeTransfer({ header, content }: TextPart, maxBytes: number): Buffer {
  const decode = DECODERS.get(header.transferEncoding);
  if (decode === undefined) return content.subarray(0, maxBytes);
  // Decoding never makes content longer.
  const decoded = room(Math.min(maxBytes, content.length));
  return decoded.subarray(0, decode(content, decoded));
}

function decodePart({ header }: TextPart, bytes: Buffer, extent: Extent): string {
  const isHtml = header.mediaType === 'text/html';
  const charset = parameter(header.type, 'charset') || (isHtml ? metaCharset(bytes) : null);
  return decodeCharset(bytes, charset, extent);
}

/** Normalizes line ends to LF, and joins soft line breaks (RFC 3676). */
function inReadableLines(sent: string, { header }: TextPart): string {
  const text = withLineFeeds(sent);
  const isHtml = header.mediaType === 'text/html';
  const isFlowed = !isHtml && parameter(header.type, 'format')?.toLowerCase() === 'flowed';
  return isFlowed ? joinFlowed(text, parameter(header.type, 'delsp')) : text;
}

/** The charset that HTML declares, or null. Ignores `utf-16`: text in UTF-16 would not match, so that must be wrong. */
function metaCharset(html: Buffer): string | null {
  const label = META_CHARSET.exec(html.toString('latin1', 0, META_BYTES))?.[1] ?? null;
  return label?.toLowerCase().startsWith('utf-16') ? null : label;
}

/**
 * Joins the lines of a format=flowed text (RFC 3676 section 4), so that wrapped codes and links are whole again. A line
 * that ends in a space continues on the next line of the same quote depth. Removes space-stuffing and, if `delSp` is
 * `yes`, the space of a soft line break. Line ends are LF.
 */
export function joinFlowed(text: string, delSp: string | null): string {
  const dropsMarker = delSp?.toLowerCase() === 'yes';
  const pieces: string[] = [];
  /** Quote depth of the open paragraph, or null. */
  let openDepth: number | null = null;
  for (const line of text.split('\n')) {
    const depth = quoteDepth(line);
    const content = line.slice(line.charAt(depth) === ' ' ? depth + 1 : depth);
    // The signature separator ends in a space but is not flowed (RFC 3676 section 4.3).
    const isSignature = content === '-- ';
    const flows = content.endsWith(' ') && !isSignature;
    if (openDepth !== depth || isSignature) {
      const quote = depth === 0 ? '' : line.slice(0, line.length - content.length);
      pieces.push(pieces.length === 0 ? '' : '\n', quote);
    }
    pieces.push(flows && dropsMarker ? content.slice(0, -1) : content);
    openDepth = flows ? depth : null;
  }
  return pieces.join('');
}

function quoteDepth(line: string): number {
  let depth = 0;
  while (line.charAt(depth) === '>') depth++;
  return depth;
}
