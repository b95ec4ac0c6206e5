import { parentPort, workerData } from 'node:worker_threads';
import { type EndedTask, type EndedTasks, type HandedTask, HEAD_BYTES, type ThreadData } from './thread-messages.js';

type Task = (raw: Uint8Array, details: never) => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;

/** A thread reports after this, so that a finished mail does not wait for a costly one behind it. */
const TELL_AFTER_MS = 1;

/** Runs in a worker thread: does its tasks by name, in order. */
export function serveTasks(tasks: Readonly<Record<string, Task>>): void {
  const port = parentPort;
  if (port === null) throw new Error('This runs in a worker thread.');
  const { slab } = workerData as ThreadData;
  const begun = new Int32Array(slab, 0, 1);

  // The next batch comes once all of this one is reported.
  port.on('message', async (batch: readonly HandedTask[]) => {
    let ended = new Ended();
    let at = HEAD_BYTES;
    let toldAt = performance.now();
    for (const [place, { name, details, message }] of batch.entries()) {
      Atomics.store(begun, 0, place + 1);
      const startedAt = performance.now();
      const from = at;
      if (typeof message === 'number') at += message;
      const begunTask = outcomeOf(() => {
        const raw = typeof message === 'number' ? copied(new Uint8Array(slab, from, message)) : joined(message);
        return (tasks[name] as Task)(raw, details as never);
      });
      // A finished task does not wait: parsing mail never does.
      const outcome = begunTask instanceof Promise ? await begunTask.catch(errorOf) : begunTask;
      const now = performance.now();
      ended.add(outcome, now - startedAt);
      if (now - toldAt < TELL_AFTER_MS && place + 1 < batch.length) continue;
      const told = ended.told();
      port.postMessage(told, [told.bytes]);
      ended = new Ended();
      toldAt = now;
    }
  });
  port.postMessage('ready');
}

class Ended {
  readonly #tasks: EndedTask[] = [];
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  add(outcome: readonly Uint8Array[] | Error, usedMs: number): void {
    if (outcome instanceof Error) {
      // Only plain errors keep their message and stack on the way to another thread.
      const { message, stack } = outcome;
      this.#tasks.push({ lengths: [], error: { message, stack }, usedMs });
      return;
    }
    for (const piece of outcome) {
      this.#pieces.push(piece);
      this.#bytes += piece.length;
    }
    this.#tasks.push({ lengths: outcome.map((piece) => piece.length), error: null, usedMs });
  }

  told(): EndedTasks {
    const [first] = this.#pieces;
    // A large result is not copied again. A small piece shares memory with others of Node's, which may have as many
    // bytes as all pieces together.
    const isAll = first?.length === this.#bytes && first.buffer.byteLength === this.#bytes;
    if (isAll && first.buffer instanceof ArrayBuffer) {
      return { tasks: this.#tasks, bytes: first.buffer };
    }
    const bytes = new ArrayBuffer(this.#bytes);
    const view = new Uint8Array(bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      view.set(piece, at);
      at += piece.length;
    }
    return { tasks: this.#tasks, bytes };
  }
}

function outcomeOf(task: () => ReturnType<Task>): ReturnType<Task> | Error {
  try {
    return task();
  } catch (error) {
    return errorOf(error);
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Unshared memory is read faster, by more than the copy of a small message costs. */
function copied(bytes: Uint8Array): Uint8Array {
  return Buffer.from(bytes);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}
