import type { Envelope } from 'mayfly-client';
import { Slots } from '../../limits/slots.js';
import type { Soon } from '../../soon.js';
import type { Inspection } from './inspect.js';
import type { ReadingThreads } from './reading-threads.js';

/** How many messages are inspected or wait for it at once. Each may hold a message of the largest size in memory. */
const MAX_INSPECTIONS = 8;

/** How many of them one client may have, so that none keeps the others from looking at mail (D22). */
const MAX_INSPECTIONS_PER_CLIENT = 4;

/** Who looks at a message. */
export interface Inspecting {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** Is aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** A stored message that is to be inspected. */
export interface Inspected {
  readonly envelope: Envelope;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** As many messages are being inspected as may be. */
export class InspectorBusyError extends Error {
  override name = 'InspectorBusyError';
  constructor() {
    super('Too many messages are being inspected.');
  }
}

/**
 * Reads stored messages again, for people, in the threads that read what comes in: who looks at mail takes turns with those who
 * send it, by the time that each has used.
 */
export class Inspector {
  readonly #slots = new Slots({ total: MAX_INSPECTIONS, perClient: MAX_INSPECTIONS_PER_CLIENT });
  readonly #threads: ReadingThreads;

  constructor(threads: ReadingThreads) {
    this.#threads = threads;
  }

  /**
   * Inspects a message, which is opened when its turn has come. Rejects as opening it does, with `InspectorBusyError` when there are too many, and with the signal's
   * reason when the client has left before the work began.
   */
  async inspect(
    open: () => Soon<Inspected>,
    inspection: Inspection,
    { client, signal }: Inspecting,
  ): Promise<Uint8Array> {
    const free = this.#slots.take(client);
    if (typeof free === 'string') throw new InspectorBusyError();
    try {
      const message = await open();
      const pieces: Uint8Array[] = [];
      for await (const piece of message.pieces) {
        signal.throwIfAborted();
        pieces.push(shared(piece));
      }
      const details = { inspection, envelope: message.envelope };
      const [found] = await this.#threads.run('inspect', details, { client, pieces, signal });
      return alone(found);
    } finally {
      free();
    }
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

/** What was found, in memory of its own: who reads it slowly must not hold what was found beside it. */
function alone(found: Uint8Array): Uint8Array {
  return found.length === found.buffer.byteLength ? found : found.slice();
}
