import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.js';
import type { HandedTask, TaskResult } from './tasks.js';

/** Heap of one thread. The bytes of large messages are outside of this heap. */
const THREAD_HEAP_MB = 256;

/** Parsing is linear, so only a bug in Mayfly exceeds this limit. */
export const PARSING_LIMIT_MS = 30_000;

interface Batch {
  resolve(results: readonly TaskResult[]): void;
  reject(error: Error): void;
}

export class ParserThread {
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #ended: () => void;
  #batch: Batch | null = null;
  #error = new Error('The parser thread ended before it had parsed the message.');
  #stopWatch = () => {};

  /** Throws if the system has no thread left. `ended` is called once the thread accepts no more work. */
  constructor(code: URL | string, clock: Clock, ended: () => void) {
    this.#clock = clock;
    this.#ended = ended;
    this.#worker = new Worker(code, {
      eval: typeof code === 'string',
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', this.#received);
    this.#worker.on('error', (error: unknown) => {
      this.#error = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('exit', () => {
      ended();
      this.#over()?.reject(this.#error);
    });
  }

  get isFree(): boolean {
    return this.#batch === null;
  }

  /** Must be called only while the thread is free. Rejects if the thread ends, or takes too long. */
  parse(batch: readonly (HandedTask & { readonly isOwned?: boolean })[]): Promise<readonly TaskResult[]> {
    const transferred: ArrayBuffer[] = [];
    const tasks = batch.map(({ name, details, pieces, isOwned }): HandedTask => {
      const handed = pieces.map((piece) => {
        if (piece.buffer instanceof SharedArrayBuffer) return piece;
        // Copies a piece that is not owned, because its memory may contain more than this message.
        const own = isOwned ? piece : new Uint8Array(piece);
        transferred.push(own.buffer as ArrayBuffer);
        return own;
      });
      return { name, details, pieces: handed };
    });
    this.#stopWatch();
    this.#stopWatch = this.#clock.after(PARSING_LIMIT_MS, () => {
      this.#error = new Error(`Parsing the message took more than ${PARSING_LIMIT_MS} ms.`);
      // A result that arrives now must not make an ending thread look free.
      this.#worker.off('message', this.#received);
      void this.end();
    });
    return new Promise((resolve, reject) => {
      this.#batch = { resolve, reject };
      this.#worker.postMessage(tasks, transferred);
    });
  }

  endAfter(idleMs: number): void {
    this.#stopWatch = this.#clock.after(idleMs, () => void this.end());
  }

  async end(): Promise<void> {
    this.#ended();
    await this.#worker.terminate();
  }

  readonly #received = (results: readonly TaskResult[]): void => {
    this.#over()?.resolve(results);
  };

  #over(): Batch | null {
    this.#stopWatch();
    const batch = this.#batch;
    this.#batch = null;
    return batch;
  }
}
