import type { MessageParts } from '../message-reading.js';
import { fileNameOf } from './file-name.js';
import { type ContentHeader, parameter, percentDecoded } from './structured-field.js';

/** A reference to a part of the mail (RFC 2392). A Content-ID is no longer than a line (RFC 5322 section 2.1.1). */
const REFERENCE = /cid:([^"'\s<>()]{1,998})/gi;

/** A file that the mail hands over, one that it shows, or no file. */
export type FileKind = 'attachment' | 'inline' | null;

/**
 * Whether a part is an attachment of its mail (something that is handed over, and not what the mail itself says or
 * shows), a file that the mail shows itself, or neither.
 *
 * - A multipart is neither; its parts may be.
 * - A part whose disposition is `attachment`, or one that is not known (RFC 2183 section 2.8), is an attachment,
 *   whatever else it is.
 * - A part that the HTML shows by its Content-ID, such as a logo, is no attachment, even with a file name.
 * - Any other part is one if it has a file name, or if it is no text: a PDF, a photo, another mail (`message/rfc822`).
 * - What is left is shown if it has a name of either kind, and is not the body.
 *
 * So a part may be both, text of the body and attachment: it is, where text has a file name and no disposition or
 * `inline`.
 */
export function fileKind(header: ContentHeader, shown: ContentIds): FileKind {
  const { mediaType, isInline, contentId } = header;
  if (mediaType.startsWith('multipart/')) return null;
  if (!isInline) return 'attachment';
  const hasName = hasFileName(header);
  const isShown = contentId !== null && shown.has(contentId);
  if (!isShown && (hasName || !mediaType.startsWith('text/'))) return 'attachment';
  if (hasName) return 'inline';
  return contentId !== null && mediaType !== 'text/plain' && mediaType !== 'text/html' ? 'inline' : null;
}

/** Most attachments whose names are given, and most characters of these names together. */
const MAX_NAMES = 50;
const MAX_NAME_CHARS = 4_096;

export type MessageFiles = Pick<MessageParts, 'attachments' | 'fileNames' | 'inlineFiles'>;

export function filesOf(headers: readonly ContentHeader[], html: string | null): MessageFiles {
  const shown = new ContentIds(html);
  const fileNames: string[] = [];
  let attachments = 0;
  let inlineFiles = 0;
  let room = MAX_NAME_CHARS;
  for (const header of headers) {
    const kind = fileKind(header, shown);
    if (kind === 'inline') inlineFiles += 1;
    if (kind !== 'attachment') continue;
    attachments += 1;
    const name = fileNames.length < MAX_NAMES ? fileNameOf(header.disposition, header.type) : null;
    room -= name?.length ?? 0;
    if (name !== null && room >= 0) fileNames.push(name);
  }
  return { attachments, fileNames, inlineFiles };
}

/** Whether a part has a file name: `filename` of its disposition, or `name` of its type, as from older senders. */
function hasFileName({ disposition, type }: ContentHeader): boolean {
  return Boolean(parameter(disposition, 'filename') || parameter(type, 'name'));
}

/** The Content-IDs that HTML refers to, searched once, at the first question: few mails have any. */
export class ContentIds {
  readonly #html: string | null;
  #found: ReadonlySet<string> | null = null;

  constructor(html: string | null) {
    this.#html = html;
  }

  /** Without its angle brackets. */
  has(contentId: string): boolean {
    this.#found ??= this.#html === null ? new Set() : referredTo(this.#html);
    return this.#found.has(contentId);
  }
}

function referredTo(html: string): Set<string> {
  const found = new Set<string>();
  for (const [, reference = ''] of html.matchAll(REFERENCE)) found.add(percentDecoded(reference));
  return found;
}
