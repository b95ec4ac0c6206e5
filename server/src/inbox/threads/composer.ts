import type { Log } from '../../log.js';
import { type Composed, type Composition, compose, composeUnread } from './compose.js';
import { ThreadPool } from './pool.js';

/**
 * Up to this size a message is read at once: that takes a few milliseconds at the worst, less than a way to a worker
 * thread and back is worth, and a small mail never queues behind a large hostile one.
 */
export const AT_ONCE_BYTES = 64 * 1024;

/** More threads would only add memory: the messages that need them are rare. */
const MAX_THREADS = 2;

/** Turns messages into what the store keeps of them (D20): small ones at once, large ones in worker threads. */
export class Composer {
  readonly #log: Log;
  // Who waits for a thread needs no bound of its own: messages count as in flight until they are stored.
  readonly #threads = new ThreadPool(MAX_THREADS);

  constructor(log: Log) {
    this.#log = log;
  }

  /** Composes a message; where it cannot be read, with its raw text alone. */
  async compose(composition: Composition): Promise<Composed> {
    const bytes = composition.raw.byteLength;
    try {
      return bytes <= AT_ONCE_BYTES ? compose(composition) : await this.#threads.run('compose', composition);
    } catch (error) {
      this.#log.error({ err: error, bytes }, 'a message could not be read; its raw text is kept');
      // Nothing is read of it now, so this needs no thread, whatever became of the one that failed.
      return composeUnread(composition);
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}
