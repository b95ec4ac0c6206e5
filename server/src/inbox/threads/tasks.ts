import { type ExtensionResult, extensionTask } from '../../../extensions.js';
import { readMail } from '../../mail/read-mail.js';
import type { Sending } from '../read/read.js';
import { type IngestedMail, ingestReading, type ReceivedMail } from './ingested-mail.js';
import { type ExtensionWork, type Inspection, inspect } from './inspect.js';

interface InspectDetails {
  readonly inspection: Inspection;
  readonly sending: Sending;
}

/** Reads a message: all the work that a read will not have to do. */
export function ingest(mail: ReceivedMail): IngestedMail {
  return ingestReading(readMail(mail.raw), mail);
}

/** What a thread can do with a message, by name. Results are bytes, which travel without copies of objects. */
export const TASKS = {
  ingest(
    raw: Uint8Array,
    details: Omit<ReceivedMail, 'raw'>,
  ): [index: Uint8Array, record: Uint8Array, summary: Uint8Array] {
    const { index, record, summary } = ingest({ raw, ...details });
    return [index, record, summary];
  },
  inspect(raw: Uint8Array, { inspection, sending }: InspectDetails): ReturnType<typeof inspect> {
    return inspect(raw, inspection, sending);
  },
  async extension(bytes: Uint8Array, { extension, task, details }: ExtensionWork): Promise<ExtensionResult> {
    const run = await extensionTask(extension, task);
    return run(bytes, details as never);
  },
} as const;

export type TaskName = keyof typeof TASKS;
export type TaskDetails<N extends TaskName> = Parameters<(typeof TASKS)[N]>[1];
export type TaskResult<N extends TaskName> = Awaited<ReturnType<(typeof TASKS)[N]>>;
