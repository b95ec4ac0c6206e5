import type { Explanation } from 'mayfly-client';
import { explain } from '../../mail/extract/explain.js';
import { parseMessage } from '../../mail/mime/parse.js';
import { previewDocument } from '../../mail/preview-document.js';

/** What somebody wants to know of a stored message beyond its email: how it looks, or how its code and link were chosen. */
export type Inspection = 'preview' | 'explanation';

/** Reads a message anew: a preview is an HTML document, an explanation is JSON, both in UTF-8. */
export function inspect(raw: Uint8Array, inspection: Inspection): Uint8Array {
  if (inspection === 'preview') return Buffer.from(previewDocument(raw));
  const explanation: Explanation = explain(parseMessage(raw));
  return Buffer.from(JSON.stringify(explanation));
}
