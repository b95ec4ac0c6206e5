import { parentPort } from 'node:worker_threads';

type Task = (raw: Uint8Array, details: never) => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;

export interface HandedTask {
  readonly name: string;
  readonly details: unknown;
  readonly pieces: readonly Uint8Array[];
}

export interface TaskResult {
  readonly outcome: readonly Uint8Array[] | Error;
  readonly usedMs: number;
}

/** Runs in a worker thread: does a batch of tasks by name and returns their results, both in order. */
export function serveTasks(tasks: Readonly<Record<string, Task>>): void {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a worker thread.');
  port.on('message', async (batch: readonly HandedTask[]) => {
    const results: TaskResult[] = [];
    for (const { name, details, pieces } of batch) {
      const startedAt = performance.now();
      const outcome = await outcomeOf(tasks[name] as Task, pieces, details);
      results.push({ outcome, usedMs: performance.now() - startedAt });
    }
    port.postMessage(results, [...new Set(results.flatMap(buffersOf))]);
  });
}

async function outcomeOf(task: Task, pieces: readonly Uint8Array[], details: unknown): Promise<TaskResult['outcome']> {
  try {
    return (await task(joined(pieces), details as never)).map(unshared);
  } catch (error) {
    if (!(error instanceof Error)) return new Error(String(error));
    // Only plain errors keep their message and stack on the way to another thread.
    const { message, stack } = error;
    return Object.assign(new Error(message), { stack });
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
