import { Piscina } from 'piscina';
import { AT_ONCE_BYTES } from './composer.js';
import { type Inspection, type InspectionTask, inspect } from './inspect.js';

/** How many messages are inspected or wait for it at once. Each may hold a message of the largest size in memory. */
const MAX_INSPECTIONS = 8;

/** Memory of the thread's heap. A message's bytes lie outside of it. */
const THREAD_HEAP_MB = 256;

/** Reading is linear, so this is reached only by a fault of ours. */
const INSPECTION_TIMEOUT_MS = 60_000;

/** A thread that has had nothing to do for so long ends. */
const IDLE_THREAD_MS = 60_000;

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
  readonly #thread = new Piscina<InspectionTask, string>({
    filename: new URL('./inspect-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MAX_INSPECTIONS,
    idleTimeout: IDLE_THREAD_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
  });

  /** Inspects a message, which comes in pieces. Rejects with `InspectorBusyError` when there are too many. */
  async inspect(message: AsyncIterable<Uint8Array>, inspection: Inspection): Promise<string> {
    if (this.#running >= MAX_INSPECTIONS) throw new InspectorBusyError();
    this.#running += 1;
    try {
      const pieces: Uint8Array[] = [];
      for await (const piece of message) pieces.push(piece);
      const task = { raw: Buffer.concat(pieces), inspection };
      if (task.raw.byteLength <= AT_ONCE_BYTES) return inspect(task);
      return await this.#thread.run(task, { signal: AbortSignal.timeout(INSPECTION_TIMEOUT_MS) });
    } finally {
      this.#running -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#thread.destroy();
  }
}
