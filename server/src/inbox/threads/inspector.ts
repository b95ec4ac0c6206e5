import type { Clock } from '../../base/clock.js';
import type { MaybePromise } from '../../base/maybe-promise.js';
import type { HeldBytes, Progress } from '../../fairness/client-memory.js';
import type { QuotaBounds } from '../../fairness/quota.js';
import { FairSemaphore } from '../../fairness/semaphore.js';
import type { Sending } from '../read/read.js';
import type { ExtensionWork, Inspection } from './inspect.js';
import type { ReadingThreads } from './reading-threads.js';
import { SharedCopy } from './shared-copy.js';

/** Who is given an answer. */
export interface Reader {
  /** What stands for the client where clients are counted. */
  readonly client: string;
  /** Is aborted when the client has its answer, or has left. */
  readonly signal: AbortSignal;
  /** Ends the connection of a client that reads too slowly. */
  cut(): void;
  /** Sets how many bytes are held for the answer until the signal is aborted, and what the client does about it. */
  hold(bytes: number, progress?: Progress): void;
}

/**
 * How many messages are inspected at once. Each may keep a message of the largest size in memory, and what is found in
 * it. A client's share is smaller, so that no client keeps the others from looking at mail (D22).
 */
const INSPECTIONS: QuotaBounds = { total: 4, perClient: 2 };

/** Too many messages are being inspected, or wait for it. */
export class InspectorBusyError extends Error {
  override name = 'InspectorBusyError';
  constructor() {
    super('Too many messages are being inspected.');
  }
}

/** The service stops before the message's turn has come. */
export class InspectorClosedError extends Error {
  override name = 'InspectorClosedError';
  constructor() {
    super('The service is stopping.');
  }
}

/** A stored message that is to be inspected. */
export interface Inspected {
  readonly sending: Sending;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Reads stored messages again, for people, in the threads that read what comes in: who looks at mail takes turns with
 * those who send it, by the time that each has used.
 */
export class Inspector {
  readonly #threads: ReadingThreads;
  readonly #turns: FairSemaphore;
  /** Blocks of inspections that are over. */
  readonly #spare: Uint8Array[] = [];

  constructor(threads: ReadingThreads, clock: Clock, held: HeldBytes) {
    this.#threads = threads;
    this.#turns = new FairSemaphore({
      ...{ clock, held, bounds: INSPECTIONS },
      busy: () => new InspectorBusyError(),
      closed: () => new InspectorClosedError(),
    });
  }

  /**
   * Inspects a message, which is opened when its turn has come: so what waits holds none. Rejects as opening it does,
   * as `FairSemaphore.acquire`, with these two errors, and with the signal's reason when the client has left before the
   * work began.
   */
  async inspect(
    open: () => MaybePromise<Inspected>,
    inspection: Inspection | ExtensionWork,
    by: Reader,
  ): Promise<Uint8Array> {
    const { client, signal } = by;
    const release = await this.#turns.acquire(by);
    const copy = new SharedCopy(this.#spare);
    try {
      const message = await open();
      for await (const piece of message.pieces) {
        signal.throwIfAborted();
        copy.add(piece);
      }
      const toRead = { client, pieces: copy.pieces, signal };
      const [found] = isWork(inspection)
        ? await this.#threads.run('extension', inspection, toRead)
        : await this.#threads.run('inspect', { inspection, sending: message.sending }, toRead);
      by.hold(found.length);
      return alone(found);
    } finally {
      copy.release();
      release();
    }
  }

  /** Inspects only what has begun. */
  close(): void {
    this.#turns.close();
  }
}

/** What was found, in memory of its own: who reads it slowly must not hold what was found beside it. */
function alone(found: Uint8Array): Uint8Array {
  return found.length === found.buffer.byteLength ? found : found.slice();
}

function isWork(inspection: Inspection | ExtensionWork): inspection is ExtensionWork {
  return typeof inspection === 'object' && 'extension' in inspection;
}
