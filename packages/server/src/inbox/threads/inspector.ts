import type { Clock } from '../../base/clock.js';
import type { HeldBytes } from '../../limits/client-memory.js';
import type { QuotaBounds } from '../../limits/quota.js';
import { FairSemaphore } from '../../limits/semaphore.js';
import type { Sending } from '../read/read.js';
import { type ParserPool, ThreadsClosedError } from './parser-pool.js';
import type { Inspection, PluginWork } from './tasks.js';

export interface Reader {
  /** The client's key. */
  readonly client: string;
  /** Aborted when the client has its answer or has left. */
  readonly signal: AbortSignal;
  /** Ends the connection of a client that reads too slowly. */
  cut(): void;
  /** Sets the bytes held for the answer until the signal aborts. */
  hold(bytes: number): void;
}

/** Each may hold the largest message, and its result. One client cannot keep others from looking at mail (D22). */
const INSPECTIONS: QuotaBounds = { total: 4, perClient: 2 };

/** Size of the blocks that messages are copied into; some are kept for later messages. */
const BLOCK_BYTES = 1024 * 1024;
const MAX_SPARE_BLOCKS = 32;

export class InspectorBusyError extends Error {
  override name = 'InspectorBusyError';
  constructor() {
    super('Too many messages are being inspected.');
  }
}

export interface Inspected {
  readonly sending: Sending;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** Parses stored messages again, in the threads of incoming mail: readers and senders take turns by the time used. */
export class Inspector {
  readonly #threads: ParserPool;
  readonly #turns: FairSemaphore;
  readonly #spare: Uint8Array[] = [];

  constructor(threads: ParserPool, clock: Clock, held: HeldBytes) {
    this.#threads = threads;
    this.#turns = new FairSemaphore({
      ...{ clock, held, bounds: INSPECTIONS },
      busy: () => new InspectorBusyError(),
      closed: () => new ThreadsClosedError(),
    });
  }

  /** The message is opened at its turn. Rejects as `open`, as `FairSemaphore.acquire`, and with the signal's reason. */
  async inspect(open: () => Promise<Inspected>, inspection: Inspection | PluginWork, by: Reader): Promise<Uint8Array> {
    const { client, signal } = by;
    const release = await this.#turns.acquire(by);
    const copy = new SharedCopy(this.#spare);
    try {
      const message = await open();
      for await (const piece of message.pieces) {
        signal.throwIfAborted();
        copy.add(piece);
      }
      const toParse = { client, pieces: copy.pieces, signal };
      const [found] = isWork(inspection)
        ? await this.#threads.run('plugin', inspection, toParse)
        : await this.#threads.run('inspect', { inspection, sending: message.sending }, toParse);
      by.hold(found.length);
      return found;
    } finally {
      copy.release();
      release();
    }
  }

  /** Running inspections go on. */
  close(): void {
    this.#turns.close();
  }
}

function isWork(inspection: Inspection | PluginWork): inspection is PluginWork {
  return typeof inspection === 'object' && 'plugin' in inspection;
}

/**
 * A copy of a message that threads can read. Joining the pieces here, or copying a whole message at the handover, would
 * stop the event loop for some 10 ms. Its memory is reused: V8 does not count shared memory when it decides on a
 * garbage collection, and ten times as much would pile up as is in use.
 */
export class SharedCopy {
  readonly #spare: Uint8Array[];
  readonly #blocks: Uint8Array[] = [];
  #bytes = 0;

  /** `spare`: free blocks, shared by all copies. */
  constructor(spare: Uint8Array[]) {
    this.#spare = spare;
  }

  /** In pieces, not to be read after `release`. */
  get pieces(): Uint8Array[] {
    return this.#blocks.map((block, n) => block.subarray(0, this.#bytes - n * BLOCK_BYTES));
  }

  add(piece: Uint8Array): void {
    for (let start = 0; start < piece.length; ) {
      const at = this.#bytes % BLOCK_BYTES;
      if (at === 0) this.#blocks.push(this.#spare.pop() ?? new Uint8Array(new SharedArrayBuffer(BLOCK_BYTES)));
      const part = piece.subarray(start, start + BLOCK_BYTES - at);
      this.#blocks.at(-1)?.set(part, at);
      this.#bytes += part.length;
      start += part.length;
    }
  }

  release(): void {
    this.#spare.push(...this.#blocks.splice(0));
    this.#spare.splice(MAX_SPARE_BLOCKS);
  }
}
