import { Blocks } from './blocks.js';
import type { Held, NoRoom } from './in-flight.js';

/** Why a message is not kept. */
export type Dropped = 'too-large' | NoRoom;

/** Where small messages lie. One that outgrows the largest block goes on in shared memory. */
const BLOCKS = new Blocks();

/** Shared memory grows by so many bytes at a time. */
const GROWTH_BYTES = 1024 * 1024;

const NOTHING = new Uint8Array(0);

/**
 * The content of one message while it comes in. Past a limit it is dropped at once and only its length is still counted.
 *
 * A large one lies in shared memory that grows where it is: neither joining its pieces nor handing it to the thread that
 * reads it copies it, and with 10 MB either would stop the event loop for some 10 ms. A small one does not, for each
 * piece of growing memory reserves address space for the largest message.
 */
export class Content {
  readonly #maxBytes: number;
  readonly #held: Held;
  #memory: Uint8Array = NOTHING;
  /** What `#memory` is, while it is a block. */
  #block: Uint8Array | null = null;
  #shared: SharedArrayBuffer | null = null;
  #length = 0;
  #dropped: Dropped | null = null;

  /** `held` is what counts its bytes; it has none so far. */
  constructor(maxBytes: number, held: Held) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  /** Adds bytes that have arrived; they are copied. */
  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) this.#drop('too-large');
    else if (this.#dropped === null) this.#keep(bytes);
  }

  /** The whole content, which may lie in shared memory, or why there is none. It counts as in flight until `release`. */
  whole(): Uint8Array | Dropped {
    return this.#dropped ?? this.#memory.subarray(0, this.#held.bytes);
  }

  /**
   * Lets go of the memory, which other messages may be written to from then on. To be called once the content is stored or not wanted
   * any more; twice is fine.
   */
  release(): void {
    this.#held.release();
    this.#letGo();
    this.#memory = NOTHING;
    this.#shared = null;
  }

  #drop(reason: Dropped): void {
    this.#dropped = reason;
    this.release();
  }

  #keep(bytes: Uint8Array): void {
    const before = this.#held.bytes;
    const noRoom = this.#held.take(bytes.length);
    if (noRoom !== null) {
      this.#drop(noRoom);
      return;
    }
    if (this.#held.bytes > this.#memory.length) this.#grow();
    this.#memory.set(bytes, before);
  }

  /** Makes the memory large enough for what is held. */
  #grow(): void {
    if (this.#shared !== null) {
      this.#shared.grow(this.#sharedSize());
      this.#memory = new Uint8Array(this.#shared);
      return;
    }
    const before = this.#memory;
    const block = BLOCKS.take(this.#held.bytes);
    if (block === null) {
      this.#shared = new SharedArrayBuffer(this.#sharedSize(), { maxByteLength: this.#maxBytes });
      this.#memory = new Uint8Array(this.#shared);
    } else {
      this.#memory = block;
    }
    this.#memory.set(before);
    this.#letGo();
    this.#block = block;
  }

  #letGo(): void {
    if (this.#block !== null) BLOCKS.giveBack(this.#block);
    this.#block = null;
  }

  #sharedSize(): number {
    return Math.min(this.#held.bytes + GROWTH_BYTES, this.#maxBytes);
  }
}
