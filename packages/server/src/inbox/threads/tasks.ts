import { parentPort } from 'node:worker_threads';
import { excerptOf, readContents } from 'mayfly-mail/internal/contents';
import { explain } from 'mayfly-mail/internal/extract/explain';
import { parseMessage } from 'mayfly-mail/internal/mime/parse';
import { locatePart } from 'mayfly-mail/internal/mime/part-list';
import { type Preview, previewDocument } from 'mayfly-mail/internal/preview-document';
import { readMail } from 'mayfly-mail/internal/read-mail';
import type { EmailParts, Explanation } from 'mayfly-protocol';
import { systemClock } from '../../base/clock.js';
import { type IngestedMail, ingestReading, type ReceivedMail } from '../ingest/stored-message.js';
import type { Sending } from '../read/read.js';

/** A task on a stored message. `excerpt` limits each text and list in the contents to about that many characters. */
export type Inspection =
  | 'explanation'
  | 'contents'
  | { readonly excerpt: number }
  | { readonly preview: Preview }
  | { readonly part: string };

export interface PluginWork {
  readonly plugin: string;
  /** The plugin's name in `--plugin`; null for a plugin of this package. */
  readonly from: string | null;
  readonly task: string;
  readonly details: unknown;
}

/** The work on a stored message. */
export type Work = Inspection | PluginWork;

export type PluginRunner = (bytes: Uint8Array, work: PluginWork) => Promise<readonly [Uint8Array, ...Uint8Array[]]>;

export function ingest(mail: ReceivedMail): IngestedMail {
  return ingestReading(readMail(mail.raw), mail);
}

/** Tasks of a thread, by name. Results are bytes, so that no objects are copied. */
export const tasks = (plugin: PluginRunner) =>
  ({
    ingest: (raw: Uint8Array, details: Omit<ReceivedMail, 'raw'>): IngestedMail => ingest({ raw, ...details }),
    async inspect(
      raw: Uint8Array,
      { inspection, sending }: { readonly inspection: Inspection; readonly sending: Sending },
    ): Promise<[found: Uint8Array]> {
      return [Buffer.from(await found(raw, inspection, sending))];
    },
    plugin,
  }) as const;

type Tasks = ReturnType<typeof tasks>;
export type TaskName = keyof Tasks;
export type TaskDetails<N extends TaskName> = Parameters<Tasks[N]>[1];
export type ResultOf<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>;

/** Parses a message again. A preview is HTML; other results are JSON (for a part, the result of `locatePart`). */
async function found(raw: Uint8Array, inspection: Inspection, sending: Sending): Promise<string> {
  if (inspection === 'explanation') return JSON.stringify(explain(parseMessage(raw)) satisfies Explanation);
  if (inspection === 'contents') return JSON.stringify({ ...sending, ...readContents(raw) } satisfies EmailParts);
  if ('preview' in inspection) return previewDocument(raw, inspection.preview);
  if ('part' in inspection) return JSON.stringify(locatePart(raw, inspection.part));
  return JSON.stringify({ ...sending, ...excerptOf(readContents(raw), inspection.excerpt) });
}

type AnyTask = (raw: Uint8Array, details: never) => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;

export interface HandedTask {
  readonly name: string;
  readonly details: unknown;
  readonly pieces: readonly Uint8Array[];
}

export interface TaskResult {
  readonly outcome: readonly Uint8Array[] | Error;
  readonly usedMs: number;
}

/** Runs in a worker thread: does the tasks of a batch in order and returns their results in the same order. */
export function serveTasks(tasks: Readonly<Record<string, AnyTask>>): void {
  const port = parentPort;
  if (port === null) throw new Error('serveTasks must run in a worker thread.');
  port.on('message', async (batch: readonly HandedTask[]) => {
    const results: TaskResult[] = [];
    for (const { name, details, pieces } of batch) {
      const startedAt = systemClock.monotonic();
      const outcome = await outcomeOf(tasks[name] as AnyTask, pieces, details);
      results.push({ outcome, usedMs: systemClock.monotonic() - startedAt });
    }
    const pieces = results.flatMap(({ outcome }) => (outcome instanceof Error ? [] : outcome));
    port.postMessage(results, [...new Set(pieces.map(({ buffer }) => buffer as ArrayBuffer))]);
  });
}

async function outcomeOf(task: AnyTask, pieces: readonly Uint8Array[], details: unknown) {
  try {
    return (await task(joined(pieces), details as never)).map(unshared);
  } catch (error) {
    if (!(error instanceof Error)) return new Error(String(error));
    // Only plain errors keep their message and stack when they are sent to another thread.
    const { message, stack } = error;
    return Object.assign(new Error(message), { stack });
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length !== 1 || first === undefined) return Buffer.concat(pieces);
  return Buffer.from(first.buffer, first.byteOffset, first.length);
}

/** A piece in separate memory, which can be transferred. A small Node buffer shares its memory with others. */
function unshared(piece: Uint8Array): Uint8Array {
  const isAlone = piece.buffer instanceof ArrayBuffer && piece.length === piece.buffer.byteLength;
  return isAlone ? piece : new Uint8Array(piece);
}
