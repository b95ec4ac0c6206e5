import { parentPort } from 'node:worker_threads';

type Task = (raw: Uint8Array, details: never) => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;

export interface HandedTask {
  readonly name: string;
  readonly details: unknown;
  readonly pieces: readonly Uint8Array[];
}

interface TaskResult {
  readonly outcome: readonly Uint8Array[] | Error;
  readonly usedMs: number;
}

/** Results of the next tasks of a batch, in order. An empty list says that the thread has started. */
export type TaskResults = readonly TaskResult[];

/** A result waits at most this long for the next ones: each message takes some of the event loop's time. */
const REPORT_AFTER_MS = 1;

/** Runs in a worker thread: does tasks by name, in order. The next batch is sent after the last result. */
export function serveTasks(tasks: Readonly<Record<string, Task>>): void {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a worker thread.');

  port.on('message', async (batch: readonly HandedTask[]) => {
    let results: TaskResult[] = [];
    let reportedAt = performance.now();
    for (const [at, { name, details, pieces }] of batch.entries()) {
      const startedAt = performance.now();
      const outcome = await outcomeOf(tasks[name] as Task, pieces, details);
      const endedAt = performance.now();
      results.push({ outcome, usedMs: endedAt - startedAt });
      if (endedAt - reportedAt < REPORT_AFTER_MS && at + 1 < batch.length) continue;
      port.postMessage(results, [...new Set(results.flatMap(buffersOf))]);
      results = [];
      reportedAt = endedAt;
    }
  });
  port.postMessage([] satisfies TaskResults);
}

async function outcomeOf(task: Task, pieces: readonly Uint8Array[], details: unknown): Promise<TaskResult['outcome']> {
  try {
    return (await task(joined(pieces), details as never)).map(unshared);
  } catch (error) {
    return plainError(error);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (pieces.length !== 1 || first === undefined) return Buffer.concat(pieces);
  return Buffer.from(first.buffer, first.byteOffset, first.length);
}

/** A piece in memory of its own, which can change hands. A small buffer of Node's shares its memory with others. */
function unshared(piece: Uint8Array): Uint8Array {
  const isAlone = piece.buffer instanceof ArrayBuffer && piece.length === piece.buffer.byteLength;
  return isAlone ? piece : new Uint8Array(piece);
}

function buffersOf({ outcome }: TaskResult): ArrayBuffer[] {
  return outcome instanceof Error ? [] : outcome.map(({ buffer }) => buffer as ArrayBuffer);
}

/** Only plain errors keep their message and stack on the way to another thread. */
function plainError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { message, stack } = error;
  return Object.assign(new Error(message), { stack });
}
