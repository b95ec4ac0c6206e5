import { withLineFeeds } from '../line-feeds.js';
import { decodeBase64 } from './base64.js';
import { decodeCharset, type Extent } from './charset.js';
import { joinFlowed } from './flowed.js';
import { decodeQuotedPrintable } from './quoted-printable.js';
import { parameter } from './structured-field.js';
import type { TextPart } from './walk.js';

/** How many bytes of text are decoded of all parts of one media type together. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Where HTML is looked through for a declaration of its charset (HTML standard, section 4.2.5.4). */
const META_BYTES = 1024;

/** `<meta charset=…>` as well as `<meta http-equiv=… content="…; charset=…">`. */
const META_CHARSET = /<meta\s[^<>]*?charset\s*=\s*["']?([^\s"'<>;/]+)/i;

/**
 * The text of all parts of a media type, joined line by line, with LF as line end; null if there is none. What lies past
 * `MAX_TEXT_BYTES` is left out.
 */
export function joinText(parts: readonly TextPart[], mediaType: 'text/plain' | 'text/html'): string | null {
  const chosen = parts.filter((part) => part.header.mediaType === mediaType);
  if (chosen.length === 0) return null;
  const texts: string[] = [];
  let bytesLeft = MAX_TEXT_BYTES;
  for (const part of chosen) {
    const bytes = decodeTransfer(part, bytesLeft);
    bytesLeft -= bytes.length;
    if (bytes.length > 0) texts.push(decodePart(part, bytes, bytesLeft === 0 ? 'cut' : 'whole'));
    if (bytesLeft === 0) break;
  }
  return texts.join('\n');
}

/** Undoes the Content-Transfer-Encoding (RFC 2045 section 6); 7bit, 8bit, binary and any unknown one leave the content as it is. */
function decodeTransfer({ header, content }: TextPart, maxBytes: number): Buffer {
  if (header.transferEncoding === 'base64') return decodeBase64(content, maxBytes);
  if (header.transferEncoding === 'quoted-printable') return decodeQuotedPrintable(content, maxBytes);
  return content.subarray(0, maxBytes);
}

function decodePart({ header }: TextPart, bytes: Buffer, extent: Extent): string {
  const isHtml = header.mediaType === 'text/html';
  const charset = parameter(header.type, 'charset') || (isHtml ? metaCharset(bytes) : null);
  const text = withLineFeeds(decodeCharset(bytes, charset, extent));
  const isFlowed = !isHtml && parameter(header.type, 'format')?.toLowerCase() === 'flowed';
  return isFlowed ? joinFlowed(text, parameter(header.type, 'delsp')) : text;
}

/** The charset that HTML declares for itself. What could be read to find it is not UTF-16, whatever it says. */
function metaCharset(html: Buffer): string | null {
  const label = META_CHARSET.exec(html.toString('latin1', 0, META_BYTES))?.[1] ?? null;
  return label?.toLowerCase().startsWith('utf-16') ? null : label;
}
