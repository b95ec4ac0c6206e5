import { AT_ONCE_BYTES } from './composer.js';
import { type Inspection, inspect } from './inspect.js';
import { ThreadPool } from './pool.js';

/** How many messages are inspected or wait for it at once. Each may hold a message of the largest size in memory. */
const MAX_INSPECTIONS = 8;

/** As many messages are being inspected as may be. */
export class InspectorBusyError extends Error {
  override name = 'InspectorBusyError';
  constructor() {
    super('Too many messages are being inspected.');
  }
}

/**
 * Reads stored messages again, for people: small ones at once, large ones in a thread of its own, so that looking at mail
 * never holds up mail that comes in.
 */
export class Inspector {
  #running = 0;
  readonly #threads = new ThreadPool(1);

  /** Inspects a message, which comes in pieces. Rejects with `InspectorBusyError` when there are too many. */
  async inspect(message: AsyncIterable<Uint8Array>, inspection: Inspection): Promise<string> {
    if (this.#running >= MAX_INSPECTIONS) throw new InspectorBusyError();
    this.#running += 1;
    try {
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      for await (const piece of message) {
        pieces.push(shared(piece));
        bytes += piece.byteLength;
      }
      const task = { pieces, inspection };
      return bytes <= AT_ONCE_BYTES ? inspect(task) : await this.#threads.run('inspect', task);
    } finally {
      this.#running -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

/**
 * The same bytes where a thread can read them too. To join the pieces here, or to have a whole message copied when it is handed
 * over, would stop the event loop for some 10 ms each.
 */
function shared(piece: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(piece.byteLength));
  copy.set(piece);
  return copy;
}
