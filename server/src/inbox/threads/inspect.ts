import type { EmailParts, Explanation } from 'mayfly-client';
import { excerptOf, readContents } from '../../mail/contents.js';
import { explain } from '../../mail/extract/explain.js';
import { parseMessage } from '../../mail/mime/parse.js';
import { locatePart } from '../../mail/mime/part-list.js';
import { type Preview, previewDocument } from '../../mail/preview-document.js';
import type { Sending } from '../read/read.js';

/**
 * A question about a stored message beyond its email: how its code and link were chosen, what it contains, what email
 * clients make of it, how it looks and with which images, or where a part lies, by the part's path. An excerpt is the
 * contents with every text and list cut to a size.
 */
export type Inspection =
  | 'explanation'
  | 'contents'
  | 'check'
  | { readonly excerpt: number }
  | { readonly preview: Preview }
  | { readonly part: string };

/** A task that an extension has for a reading thread: the names of both, and what else the task is to know. */
export interface ExtensionWork {
  readonly extension: string;
  readonly task: string;
  readonly details: unknown;
}

/** Parses a message again: a preview is HTML, the rest JSON (of a part, the result of `locatePart`), all in UTF-8. */
export function inspect(
  raw: Uint8Array,
  inspection: Inspection,
  sending: Sending,
): [found: Uint8Array] | Promise<[found: Uint8Array]> {
  return inspection === 'check' ? check(raw) : [Buffer.from(found(raw, inspection, sending))];
}

/** What it knows of email clients is loaded for the first check only. */
async function check(raw: Uint8Array): Promise<[found: Uint8Array]> {
  const { checkMail } = await import('../../mail/check/check-mail.js');
  return [Buffer.from(JSON.stringify(checkMail(raw)))];
}

function found(raw: Uint8Array, inspection: Exclude<Inspection, 'check'>, sending: Sending): string {
  if (typeof inspection === 'string') return JSON.stringify(read(raw, inspection, sending));
  if ('preview' in inspection) return previewDocument(raw, inspection.preview);
  if ('excerpt' in inspection)
    return JSON.stringify({ ...sending, ...excerptOf(readContents(raw), inspection.excerpt) });
  return JSON.stringify(locatePart(raw, inspection.part));
}

function read(raw: Uint8Array, inspection: 'explanation' | 'contents', sending: Sending): Explanation | EmailParts {
  return inspection === 'explanation' ? explain(parseMessage(raw)) : { ...sending, ...readContents(raw) };
}
