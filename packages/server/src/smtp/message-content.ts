import type { MessageBytes } from '../limits/client-memory.js';
import type { Refusal } from '../limits/quota.js';

/** Block sizes: for text, for HTML mail, and for the largest small message. */
const SIZES = [4, 16, 64].map((kib) => kib * 1024);

const KEPT = 32;

/** Reusable memory for messages: allocations outside V8's heap make it scan the heap, a fifth of a mail's cost. */
export class Blocks {
  readonly #kept: readonly Uint8Array[][] = SIZES.map(() => []);

  /** A block of at least this size with arbitrary content; null beyond the largest. */
  take(bytes: number): Uint8Array | null {
    const size = SIZES.findIndex((room) => bytes <= room);
    if (size < 0) return null;
    return this.#kept[size]?.pop() ?? Buffer.allocUnsafeSlow(SIZES[size] as number);
  }

  giveBack(block: Uint8Array): void {
    const kept = this.#kept[SIZES.indexOf(block.length)];
    if (kept !== undefined && kept.length < KEPT) kept.push(block);
  }
}

export type Dropped = 'too-large' | Refusal;

/** For small messages. A message that outgrows the largest block moves to shared memory. */
const BLOCKS = new Blocks();

const GROWTH_BYTES = 1024 * 1024;

const NOTHING = new Uint8Array(0);

/**
 * The content of an incoming message. Past a limit it is dropped, and only its length counted. A large one lies in
 * shared memory that grows in place: copying 10 MB, to join or to hand to a thread, would stop the event loop for 10
 * ms. A small one does not: growing memory reserves address space for the largest message.
 */
export class Content {
  readonly #maxBytes: number;
  readonly #held: MessageBytes;
  #memory: Uint8Array = NOTHING;
  #block: Uint8Array | null = null;
  #shared: SharedArrayBuffer | null = null;
  #length = 0;
  #dropped: Dropped | null = null;

  constructor(maxBytes: number, held: MessageBytes) {
    this.#maxBytes = maxBytes;
    this.#held = held;
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) this.#drop('too-large');
    else if (this.#dropped === null) this.#keep(bytes);
  }

  /** The whole content, possibly in shared memory, or why it was dropped. In flight until `release`. */
  whole(): Uint8Array | Dropped {
    return this.#dropped ?? this.#memory.subarray(0, this.#held.bytes);
  }

  /** Frees the memory for other messages, once the content is stored or unwanted. May be repeated. */
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
