import type { MessageBytes } from '../fairness/client-memory.js';
import type { Refusal } from '../fairness/quota.js';

/** How large blocks are, the smallest first: as a text, a mail of HTML, and the largest message that is small. */
const SIZES = [4, 16, 64].map((kib) => kib * 1024);

const KEPT = 32;

/**
 * Memory for messages, used again and again. Memory that is allocated for each message lies outside of V8's heap, and a
 * few MB of it make V8 look through all of the heap: that was a fifth of what a mail cost.
 */
export class Blocks {
  readonly #kept: readonly Uint8Array[][] = SIZES.map(() => []);

  /** A block with room for so many bytes, whatever it holds by now; null where none is that large. */
  take(bytes: number): Uint8Array | null {
    const size = SIZES.findIndex((room) => bytes <= room);
    if (size < 0) return null;
    return this.#kept[size]?.pop() ?? Buffer.allocUnsafeSlow(SIZES[size] as number);
  }

  /** Takes a block back, which must not be used any more. */
  giveBack(block: Uint8Array): void {
    const kept = this.#kept[SIZES.indexOf(block.length)];
    if (kept !== undefined && kept.length < KEPT) kept.push(block);
  }
}

export type Dropped = 'too-large' | Refusal;

/** Where small messages lie. One that outgrows the largest block goes on in shared memory. */
const BLOCKS = new Blocks();

const GROWTH_BYTES = 1024 * 1024;

const NOTHING = new Uint8Array(0);

/**
 * The content of one message while it comes in. Past a limit it is dropped at once and only its length is still
 * counted.
 *
 * A large one lies in shared memory that grows where it is: neither joining its pieces nor handing it to the thread
 * that reads it copies it, and with 10 MB either would stop the event loop for some 10 ms. A small one does not, for
 * each piece of growing memory reserves address space for the largest message.
 */
export class Content {
  readonly #maxBytes: number;
  readonly #held: MessageBytes;
  #memory: Uint8Array = NOTHING;
  /** What `#memory` is, while it is a block. */
  #block: Uint8Array | null = null;
  #shared: SharedArrayBuffer | null = null;
  #length = 0;
  #dropped: Dropped | null = null;

  /** `held` is what counts its bytes; it has none so far. */
  constructor(maxBytes: number, held: MessageBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) this.#drop('too-large');
    else if (this.#dropped === null) this.#keep(bytes);
  }

  /** The whole content, possibly in shared memory, or why it was dropped. It counts as in flight until `release`. */
  whole(): Uint8Array | Dropped {
    return this.#dropped ?? this.#memory.subarray(0, this.#held.bytes);
  }

  /**
   * Lets go of the memory, which other messages may be written to from then on. To be called once the content is stored
   * or not wanted any more; twice is fine.
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
    const refused = this.#held.take(bytes.length);
    if (refused !== null) {
      this.#drop(refused);
      return;
    }
    if (this.#held.bytes > this.#memory.length) this.#grow();
    this.#memory.set(bytes, before);
  }

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
