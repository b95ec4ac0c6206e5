import type { Explanation } from 'mayfly-client';
import { explain } from '../../mail/extract/explain.js';
import { parseMessage } from '../../mail/mime/parse.js';
import { previewDocument } from '../../mail/preview-document.js';

/** What somebody wants to know of a stored message beyond its email: how it looks, or how its code and link were chosen. */
export type Inspection = 'preview' | 'explanation';

/** What of a message an inspection looks into. */
export interface InspectionTask {
  /** The message in pieces, which are joined where the work is done. */
  readonly pieces: readonly Uint8Array[];
  readonly inspection: Inspection;
}

/** Reads a message anew: a preview is an HTML document, an explanation is JSON. */
export function inspect({ pieces, inspection }: InspectionTask): string {
  const raw = Buffer.concat(pieces);
  if (inspection === 'preview') return previewDocument(raw);
  const explanation: Explanation = explain(parseMessage(raw));
  return JSON.stringify(explanation);
}
