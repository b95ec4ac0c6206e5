import { excerptOf, readContents } from 'mayfly-mail/internal/contents';
import { explain } from 'mayfly-mail/internal/extract/explain';
import { parseMessage } from 'mayfly-mail/internal/mime/parse';
import { locatePart } from 'mayfly-mail/internal/mime/part-list';
import { type Preview, previewDocument } from 'mayfly-mail/internal/preview-document';
import { readMail } from 'mayfly-mail/internal/read-mail';
import type { EmailParts, Explanation } from 'mayfly-protocol';
import { type IngestedMail, ingestReading, type ReceivedMail } from '../ingest/stored-message.js';
import type { Sending } from '../read/read.js';

/**
 * A question about a stored message: how its code and link were chosen, its contents, its preview, or where a part
 * lies, by the part's path. An excerpt is the contents with each text and list cut to a size.
 */
export type Inspection =
  | 'explanation'
  | 'contents'
  | { readonly excerpt: number }
  | { readonly preview: Preview }
  | { readonly part: string };

/** A task of a plugin. */
export interface PluginWork {
  readonly plugin: string;
  /** How `--plugin` names it; null for one of this package. */
  readonly from: string | null;
  readonly task: string;
  readonly details: unknown;
}

export type PluginRunner = (bytes: Uint8Array, work: PluginWork) => Promise<readonly [Uint8Array, ...Uint8Array[]]>;

interface InspectDetails {
  readonly inspection: Inspection;
  readonly sending: Sending;
}

export function ingest(mail: ReceivedMail): IngestedMail {
  return ingestReading(readMail(mail.raw), mail);
}

/** What a thread can do with a message, by name. Results are bytes, so that no objects are copied. */
export const tasks = (plugin: PluginRunner) =>
  ({
    ingest: (raw: Uint8Array, details: Omit<ReceivedMail, 'raw'>): IngestedMail => ingest({ raw, ...details }),
    async inspect(raw: Uint8Array, { inspection, sending }: InspectDetails): Promise<[found: Uint8Array]> {
      return [Buffer.from(await found(raw, inspection, sending))];
    },
    plugin,
  }) as const;

type Tasks = ReturnType<typeof tasks>;
export type TaskName = keyof Tasks;
export type TaskDetails<N extends TaskName> = Parameters<Tasks[N]>[1];
export type TaskResult<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>;

/** Parses a message again: a preview is HTML, the rest JSON (of a part, the result of `locatePart`). */
async function found(raw: Uint8Array, inspection: Inspection, sending: Sending): Promise<string> {
  if (inspection === 'explanation') return JSON.stringify(explain(parseMessage(raw)) satisfies Explanation);
  if (inspection === 'contents') return JSON.stringify({ ...sending, ...readContents(raw) } satisfies EmailParts);
  if ('preview' in inspection) return previewDocument(raw, inspection.preview);
  if ('part' in inspection) return JSON.stringify(locatePart(raw, inspection.part));
  return JSON.stringify({ ...sending, ...excerptOf(readContents(raw), inspection.excerpt) });
}
