import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.js';
import { type EndedTask, type FromThread, type HandedTask, HEAD_BYTES, SLAB_BYTES } from './thread-messages.js';

/** Heap of one thread; the bytes of large messages lie outside of it. */
const THREAD_HEAP_MB = 256;

/** Parsing is linear, so only a fault of ours reaches this. Checked once in this time: it may take twice as long. */
export const READING_LIMIT_MS = 30_000;

export interface Work {
  readonly name: string;
  readonly details: unknown;
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  /** Whether the thread gets a copy; otherwise the pieces are in shared memory, unchanged meanwhile. */
  readonly isCopied: boolean;
  /** Called once, with pieces that do not change, or the error. Each piece holds the memory of those told with it. */
  ended(outcome: readonly Uint8Array[] | Error, usedMs: number): void;
}

export interface ThreadOwner<W extends Work> {
  /** A thread can take work, for the first time or again. */
  isFree(thread: ReadingThread<W>): void;
  /** A thread has ended with this work undone: by an error in its current task, or by `end`. */
  isLost(thread: ReadingThread<W>, undone: readonly W[]): void;
}

/** One worker thread that reads mail, a batch at a time. */
export class ReadingThread<W extends Work = Work> {
  readonly #worker: Worker;
  readonly #slab = new SharedArrayBuffer(HEAD_BYTES + SLAB_BYTES);
  readonly #bytes = new Uint8Array(this.#slab);
  readonly #begun = new Int32Array(this.#slab, 0, 1);
  readonly #clock: Clock;
  readonly #owner: ThreadOwner<W>;
  #batch: readonly W[] = [];
  #ended = 0;
  #handedAt = 0;
  #error: Error | null = null;
  #stopWatching = () => {};

  /** Runs the module at `url`. The owner hears when it is free. */
  constructor(url: URL, clock: Clock, owner: ThreadOwner<W>) {
    this.#clock = clock;
    this.#owner = owner;
    this.#worker = new Worker(url, {
      workerData: { slab: this.#slab },
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', this.#told);
    this.#worker.on('error', this.#failed);
    this.#worker.on('exit', this.#exited);
  }

  /** Hands over a batch whose copied part fits into the slab. Only while the thread is free. */
  hand(batch: readonly W[]): void {
    this.#batch = batch;
    this.#ended = 0;
    this.#handedAt = this.#clock.monotonic();
    Atomics.store(this.#begun, 0, 0);
    let at = HEAD_BYTES;
    const tasks = batch.map(({ name, details, pieces, bytes, isCopied }): HandedTask => {
      if (!isCopied) return { name, details, message: pieces };
      for (const piece of pieces) {
        this.#bytes.set(piece, at);
        at += piece.length;
      }
      return { name, details, message: bytes };
    });
    // Before posting: on another processor the thread may begin several by the next line.
    this.#watch();
    this.#worker.postMessage(tasks);
  }

  /** Ends the thread, whatever it is doing; resolves once it has ended. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  readonly #told = (message: FromThread): void => {
    if (message === 'ready') {
      this.#owner.isFree(this);
      return;
    }
    let at = 0;
    for (const task of message.tasks) {
      const length = task.lengths.reduce((sum, piece) => sum + piece, 0);
      const work = this.#batch[this.#ended];
      this.#ended += 1;
      work?.ended(outcomeOf(task, new Uint8Array(message.bytes, at, length)), task.usedMs);
      at += length;
    }
    if (this.#ended < this.#batch.length) return;
    this.#stopWatching();
    this.#batch = [];
    this.#owner.isFree(this);
  };

  readonly #failed = (error: unknown): void => {
    this.#error = error instanceof Error ? error : new Error(String(error));
  };

  readonly #exited = (): void => {
    this.#stopWatching();
    const begun = Atomics.load(this.#begun, 0);
    const undone = this.#batch.slice(this.#ended);
    // Tasks before the one at hand are done, but were not told. Only that one is to blame.
    const [culprit] = undone.splice(begun - 1 - this.#ended, begun > this.#ended ? 1 : 0);
    this.#batch = [];
    const usedMs = this.#clock.monotonic() - this.#handedAt;
    culprit?.ended(this.#error ?? new Error('The thread that read the message was ended.'), usedMs);
    this.#owner.isLost(this, undone);
  };

  #watch(): void {
    const begun = Atomics.load(this.#begun, 0);
    const batch = this.#batch;
    this.#stopWatching = this.#clock.after(READING_LIMIT_MS, () => {
      if (batch !== this.#batch) return;
      if (Atomics.load(this.#begun, 0) !== begun) {
        this.#watch();
        return;
      }
      this.#error = new Error(`Parsing the message took more than ${READING_LIMIT_MS} ms.`);
      void this.#worker.terminate();
    });
  }
}

/** A task's pieces: views of several tasks' bytes. Keepers copy them, so that a batch is freed with its last mail. */
function outcomeOf({ lengths, error }: EndedTask, bytes: Uint8Array): readonly Uint8Array[] | Error {
  if (error !== null) {
    const failure = new Error(error.message);
    if (error.stack !== undefined) failure.stack = error.stack;
    return failure;
  }
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return bytes.subarray(at - length, at);
  });
}
