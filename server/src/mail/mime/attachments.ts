import type { ContentHeader } from './content-header.js';
import { parameter, percentDecoded } from './structured-field.js';

/**
 * How HTML refers to a part of its own mail (RFC 2392), up to the end of the attribute's value or of `url(…)` in a style. No line of
 * a message is longer (RFC 5322 section 2.1.1), and so no Content-ID.
 */
const REFERENCE = /cid:([^"'\s<>()]{1,998})/gi;

/**
 * Whether a part is an attachment of its mail: something that is handed over, and not what the mail itself says or shows.
 *
 * - A multipart is none; its parts may be.
 * - A part whose disposition is `attachment`, or one that is not known (RFC 2183 section 2.8), is one, whatever else it is.
 * - A part that the HTML shows by its Content-ID, such as a logo, is none, even with a file name.
 * - Any other part is one if it has a file name, or if it is no text: a PDF, a photo, another mail (`message/rfc822`).
 *
 * So a part may be both, text of the body and attachment: it is, where text has a file name and no disposition or `inline`.
 */
export function isAttachment(header: ContentHeader, shown: ContentIds): boolean {
  const { mediaType, isInline } = header;
  if (mediaType.startsWith('multipart/')) return false;
  if (!isInline) return true;
  if (header.contentId !== null && shown.has(header.contentId)) return false;
  return !mediaType.startsWith('text/') || hasFileName(header);
}

/** How many of a message's parts are attachments. `html` is what the message shows, decoded; null where it has none. */
export function countAttachments(headers: readonly ContentHeader[], html: string | null): number {
  const shown = new ContentIds(html);
  return headers.reduce((count, header) => (isAttachment(header, shown) ? count + 1 : count), 0);
}

/** Whether a part has a name to be saved under: `filename` of its disposition, or `name` of its type, as older senders have it. */
function hasFileName({ disposition, type }: ContentHeader): boolean {
  return Boolean(parameter(disposition, 'filename') || parameter(type, 'name'));
}

/** The Content-IDs that HTML refers to. It is gone through once, when the first is asked for: few mails have any. */
export class ContentIds {
  readonly #html: string | null;
  #found: ReadonlySet<string> | null = null;

  constructor(html: string | null) {
    this.#html = html;
  }

  /** Whether the HTML refers to the part with this Content-ID, given without its angle brackets. */
  has(contentId: string): boolean {
    this.#found ??= this.#html === null ? new Set() : referredTo(this.#html);
    return this.#found.has(contentId);
  }
}

/** Every Content-ID that stands behind `cid:`. Linear in the HTML. */
function referredTo(html: string): Set<string> {
  const found = new Set<string>();
  for (const [, reference = ''] of html.matchAll(REFERENCE)) found.add(percentDecoded(reference));
  return found;
}
