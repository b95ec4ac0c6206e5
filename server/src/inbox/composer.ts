import { Piscina } from 'piscina';
import type { Log } from '../log.js';
import { type Composed, type Composition, compose, composeUnread } from './compose.js';
import type { WorkerTask } from './compose-worker.js';

/**
 * Up to this size a message is read at once: that takes a few milliseconds at the worst, less than a way to a worker
 * thread and back is worth, and a small mail never queues behind a large hostile one.
 */
export const AT_ONCE_BYTES = 64 * 1024;

/** More threads would only add memory: the messages that need them are rare. */
const MAX_THREADS = 2;

/**
 * Reading is linear, so this is reached only by a fault of ours; the message is then stored with its raw text alone.
 * It begins when a message is handed in, so it leaves time for those that are before it.
 */
const READING_TIMEOUT_MS = 60_000;

/** Memory of one thread's heap. A message's bytes lie outside of it. */
const THREAD_HEAP_MB = 256;

/** A thread that has had nothing to do for so long ends; the next large message pays some 60 ms for a new one. */
const IDLE_THREAD_MS = 300_000;

/** Turns messages into what the store keeps of them (design D20): small ones at once, large ones in worker threads. */
export class Composer {
  readonly #log: Log;
  // The queue needs no bound of its own: its messages are counted among those in flight until they are stored.
  readonly #threads = new Piscina<WorkerTask, Composed>({
    filename: new URL('./compose-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_THREAD_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });

  constructor(log: Log) {
    this.#log = log;
  }

  /** Composes a message; where it cannot be read, with its raw text alone. */
  async compose(composition: Composition): Promise<Composed> {
    const small = composition.raw.byteLength <= AT_ONCE_BYTES;
    try {
      return small ? compose(composition) : await this.#inThread({ composition, readable: true });
    } catch (error) {
      this.#log.error(
        { error, bytes: composition.raw.byteLength },
        'a message could not be read; its raw text is kept',
      );
      return small ? composeUnread(composition) : await this.#inThread({ composition, readable: false });
    }
  }

  #inThread(task: WorkerTask): Promise<Composed> {
    return this.#threads.run(task, { signal: AbortSignal.timeout(READING_TIMEOUT_MS) });
  }

  async close(): Promise<void> {
    await this.#threads.destroy();
  }
}
