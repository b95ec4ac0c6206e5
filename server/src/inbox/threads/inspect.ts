import type { EmailParts, Envelope, Explanation } from 'mayfly-client';
import { readContents } from '../../mail/contents.js';
import type { ImageSources } from '../../mail/embedded-images.js';
import { excerptOf } from '../../mail/excerpt.js';
import { explain } from '../../mail/extract/explain.js';
import { parseMessage } from '../../mail/mime/parse.js';
import { locatePart } from '../../mail/mime/part-list.js';
import { previewDocument } from '../../mail/preview-document.js';

/**
 * What somebody wants to know of a stored message beyond its email: how its code and link were chosen, what it holds, how it looks
 * and with which images, or where one of its parts lies, by the part's path. An excerpt is what it holds, each text and list of it with
 * so many characters at the most.
 */
export type Inspection =
  | 'explanation'
  | 'contents'
  | { readonly excerpt: number }
  | { readonly preview: ImageSources }
  | { readonly part: string };

/** Reads a message anew: a preview is an HTML document, the rest is JSON (of a part, what `locatePart` gives), all in UTF-8. */
export function inspect(raw: Uint8Array, inspection: Inspection, envelope: Envelope): Uint8Array {
  const isPreview = typeof inspection === 'object' && 'preview' in inspection;
  return Buffer.from(
    isPreview ? previewDocument(raw, inspection.preview) : JSON.stringify(found(raw, inspection, envelope)),
  );
}

function found(
  raw: Uint8Array,
  inspection: Exclude<Inspection, { readonly preview: ImageSources }>,
  envelope: Envelope,
): Explanation | EmailParts | ReturnType<typeof locatePart> {
  if (inspection === 'explanation') return explain(parseMessage(raw));
  if (inspection === 'contents') return { envelope, ...readContents(raw) };
  if ('excerpt' in inspection) return { envelope, ...excerptOf(readContents(raw), inspection.excerpt) };
  return locatePart(raw, inspection.part);
}
