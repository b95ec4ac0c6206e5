import { type ByteString, trimBlanks } from './byte-string.js';
import type { HeaderFields } from './header-fields.js';
import { parseStructuredField, type StructuredField } from './structured-field.js';

export interface ContentHeader {
  /** `type/subtype` in lower case. */
  readonly mediaType: string;
  readonly type: StructuredField;
  /** Content-Transfer-Encoding in lower case; `""` without one. */
  readonly transferEncoding: string;
  readonly disposition: StructuredField;
  /** Whether the part is shown where it stands: its disposition does not say `attachment`. */
  readonly isInline: boolean;
  /** Content-ID without its angle brackets; null without one. */
  readonly contentId: ByteString | null;
}

/** Reads the Content-* fields of a part. `container` is the media type of the multipart that it stands in, if it does. */
export function readContentHeader(fields: HeaderFields, container: string | undefined): ContentHeader {
  const type = parseStructuredField(fields.get('content-type') ?? '');
  const disposition = parseStructuredField(fields.get('content-disposition') ?? '');
  return {
    mediaType: isMediaType(type.token) ? type.token : defaultMediaType(container),
    type,
    transferEncoding: parseStructuredField(fields.get('content-transfer-encoding') ?? '').token,
    disposition,
    // An unknown disposition is to be treated as an attachment (RFC 2183 section 2.8).
    isInline: disposition.token === '' || disposition.token === 'inline',
    contentId: withoutBrackets(fields.get('content-id') ?? '') || null,
  };
}

function withoutBrackets(id: ByteString): ByteString {
  return trimBlanks(id.startsWith('<') && id.endsWith('>') ? id.slice(1, -1) : id);
}

/** A part without a usable Content-Type is plain text (RFC 2045 section 5.2), in a digest a message (RFC 2046 section 5.1.5). */
function defaultMediaType(container: string | undefined): string {
  return container === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
}

function isMediaType(token: string): boolean {
  return /^[^/]+\/[^/]+$/.test(token);
}
