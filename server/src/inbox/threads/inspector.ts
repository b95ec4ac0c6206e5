import type { Envelope } from 'mayfly-client';
import type { Clock } from '../../clock.js';
import type { Soon } from '../../soon.js';
import type { Reader } from './held-answers.js';
import type { Inspection } from './inspect.js';
import { InspectionTurns } from './inspection-turns.js';
import type { ReadingThreads } from './reading-threads.js';

/** A stored message that is to be inspected. */
export interface Inspected {
  readonly envelope: Envelope;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Reads stored messages again, for people, in the threads that read what comes in: who looks at mail takes turns with those who
 * send it, by the time that each has used.
 */
export class Inspector {
  readonly #threads: ReadingThreads;
  readonly #turns: InspectionTurns;

  constructor(threads: ReadingThreads, clock: Clock) {
    this.#threads = threads;
    this.#turns = new InspectionTurns(clock);
  }

  /**
   * Inspects a message, which is opened when its turn has come: so what waits holds none. Rejects as opening it does, as
   * `InspectionTurns.wait`, and with the signal's reason when the client has left before the work began.
   */
  async inspect(open: () => Soon<Inspected>, inspection: Inspection, by: Reader): Promise<Uint8Array> {
    const { client, signal } = by;
    const turn = await this.#turns.wait(by);
    try {
      const message = await open();
      const pieces: Uint8Array[] = [];
      for await (const piece of message.pieces) {
        signal.throwIfAborted();
        pieces.push(shared(piece));
      }
      const details = { inspection, envelope: message.envelope };
      const [found] = await this.#threads.run('inspect', details, { client, pieces, signal });
      turn.hold(found.length);
      return alone(found);
    } finally {
      turn.end();
    }
  }

  /** Inspects nothing any more but what has begun. */
  close(): void {
    this.#turns.close();
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
