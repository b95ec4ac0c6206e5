import type { InFlight } from './in-flight.js';

/** Why a message is not kept. */
export type Dropped = 'too-large' | 'no-room';

/**
 * Bytes are copied into blocks of at least this size, so that a client that sends one byte at a time costs a byte and not
 * an object of its own for each.
 */
const MIN_BLOCK_BYTES = 4 * 1024;

/** A block is as large as all before it, so that there are few of them, but never larger than this. */
const MAX_BLOCK_BYTES = 1024 * 1024;

/** The content of one message while it comes in. Past a limit it is dropped at once and only its length is still counted. */
export class Content {
  readonly #maxBytes: number;
  readonly #inFlight: InFlight;
  readonly #blocks: Buffer[] = [];
  #length = 0;
  #held = 0;
  #room = 0;
  #dropped: Dropped | null = null;

  constructor(maxBytes: number, inFlight: InFlight) {
    this.#maxBytes = maxBytes;
    this.#inFlight = inFlight;
  }

  /** Adds bytes that have arrived; they are copied. */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) this.#drop('too-large');
    else if (this.#dropped === null) this.#keep(bytes);
  }

  /** The whole content in memory of its own, or why there is none. It counts as in flight until `release`. */
  whole(): Buffer | Dropped {
    if (this.#dropped !== null) return this.#dropped;
    const whole = Buffer.allocUnsafeSlow(this.#length);
    let at = 0;
    for (const block of this.#blocks) at += block.copy(whole, at);
    this.#blocks.length = 0;
    return whole;
  }

  /** Lets go of the memory. To be called once the content is stored or not wanted any more; twice is fine. */
  release(): void {
    this.#inFlight.release(this.#held);
    this.#held = 0;
    this.#blocks.length = 0;
    this.#room = 0;
  }

  #drop(reason: Dropped): void {
    this.#dropped = reason;
    this.release();
  }

  #keep(bytes: Uint8Array): void {
    if (!this.#inFlight.take(bytes.length)) {
      this.#drop('no-room');
      return;
    }
    const before = this.#held;
    this.#held += bytes.length;
    const fitting = Math.min(bytes.length, this.#room);
    this.#fill(bytes.subarray(0, fitting));
    if (fitting === bytes.length) return;

    const rest = bytes.subarray(fitting);
    this.#room = Math.max(rest.length, MIN_BLOCK_BYTES, Math.min(before, MAX_BLOCK_BYTES));
    this.#blocks.push(Buffer.allocUnsafeSlow(this.#room));
    this.#fill(rest);
  }

  /** Copies bytes, for which there is room, into the last block. */
  #fill(bytes: Uint8Array): void {
    const block = this.#blocks.at(-1);
    block?.set(bytes, block.length - this.#room);
    this.#room -= bytes.length;
  }
}
