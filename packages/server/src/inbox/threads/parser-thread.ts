import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.js';
import type { HandedTask, TaskResults } from './serve-tasks.js';

/** Heap of one thread. The bytes of large messages lie outside of it. */
const THREAD_HEAP_MB = 256;

/** Parsing is linear, so only a fault of ours reaches this. */
export const PARSING_LIMIT_MS = 30_000;

/** Larger messages are in shared memory: the thread gets no copy, and they must not change meanwhile. */
export const SMALL_BYTES = 64 * 1024;

export interface Work {
  readonly name: string;
  readonly details: unknown;
  readonly pieces: readonly Uint8Array[];
  readonly bytes: number;
  /** Called once. */
  ended(outcome: readonly Uint8Array[] | Error, usedMs: number): void;
}

export interface ThreadOwner<W extends Work> {
  /** Called when the thread has started, and each time it has ended its batch. */
  freed(thread: ParserThread<W>): void;
  /** Called when the thread has ended with this work of its batch undone. `usedMs`: the time since its last result. */
  lost(thread: ParserThread<W>, undone: readonly W[], error: Error, usedMs: number): void;
}

/** A worker thread that parses messages, a batch at a time. */
export class ParserThread<W extends Work = Work> {
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #owner: ThreadOwner<W>;
  #batch: W[] = [];
  #resultAt = 0;
  #error = new Error('The thread that parsed the message ended.');
  #stopWatching = () => {};

  /** Runs the module at `url`. Throws if the system has no thread left. */
  constructor(url: URL, clock: Clock, owner: ThreadOwner<W>) {
    this.#clock = clock;
    this.#owner = owner;
    this.#worker = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB } });
    this.#worker.unref();
    this.#worker.on('message', this.#received);
    this.#worker.on('error', (error: unknown) => {
      this.#error = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('exit', this.#exited);
  }

  /** The work without a result yet; empty for a free thread. */
  get batch(): readonly W[] {
    return this.#batch;
  }

  /** Only while the thread is free. */
  hand(batch: W[]): void {
    this.#batch = batch;
    this.#watch();
    const copies: ArrayBuffer[] = [];
    const tasks = batch.map(({ name, details, pieces, bytes }): HandedTask => {
      if (bytes > SMALL_BYTES) return { name, details, pieces };
      const copy = copyOf(pieces, bytes);
      copies.push(copy.buffer);
      return { name, details, pieces: [copy] };
    });
    this.#worker.postMessage(tasks, copies);
  }

  /** Ends the thread during whatever it does; resolves once it has ended. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  readonly #received = (results: TaskResults): void => {
    this.#stopWatching();
    for (const { outcome, usedMs } of results) this.#batch.shift()?.ended(outcome, usedMs);
    if (this.#batch.length === 0) this.#owner.freed(this);
    else this.#watch();
  };

  readonly #exited = (): void => {
    this.#stopWatching();
    const undone = this.#batch.splice(0);
    this.#owner.lost(this, undone, this.#error, this.#clock.monotonic() - this.#resultAt);
  };

  #watch(): void {
    this.#resultAt = this.#clock.monotonic();
    this.#stopWatching = this.#clock.after(PARSING_LIMIT_MS, () => {
      this.#error = new Error(`Parsing the message took more than ${PARSING_LIMIT_MS} ms.`);
      // A result that arrives now must not make an ending thread look free.
      this.#worker.off('message', this.#received);
      void this.#worker.terminate();
    });
  }
}

/** The pieces in memory of their own: a piece may share its memory with more than this message. */
function copyOf(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    copy.set(piece, at);
    at += piece.length;
  }
  return copy;
}
