import type { MessageParts } from '../message-reading.js';
import { fileNameOf } from './file-name.js';
import { type ContentHeader, parameter, percentDecoded } from './structured-field.js';

/** Matches a reference to a part (RFC 2392). A Content-ID is no longer than a line (RFC 5322 section 2.1.1). */
const REFERENCE = /cid:([^"'\s<>()]{1,998})/gi;

/** `inline`: a file that the message displays, such as a logo. Null: not a file. */
export type FileKind = 'attachment' | 'inline' | null;

/**
 * Classifies a part:
 *
 * - A multipart is not a file, but its parts may be.
 * - A part with the disposition `attachment` or an unknown one (RFC 2183 section 2.8) is an attachment.
 * - A part that the HTML displays by its Content-ID is inline, even with a file name.
 * - Another part is an attachment if it has a file name or is not text: a PDF, a photo, a message (`message/rfc822`).
 * - Anything else is inline if it has a file name or Content-ID and is not the body.
 *
 * So text with a file name is both body and attachment if its disposition is `inline` or missing.
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

/** Limits for the listed file names: number of names, and characters in total. */
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

/** Older senders give the file name as the `name` of the Content-Type. */
function hasFileName({ disposition, type }: ContentHeader): boolean {
  return Boolean(parameter(disposition, 'filename') || parameter(type, 'name'));
}

/** The Content-IDs that the HTML refers to. Searches the HTML on first use, because few messages have a Content-ID. */
export class ContentIds {
  readonly #html: string | null;
  #found: ReadonlySet<string> | null = null;

  constructor(html: string | null) {
    this.#html = html;
  }

  /** Expects `contentId` without angle brackets. */
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
