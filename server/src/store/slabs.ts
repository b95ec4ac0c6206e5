/** Memory is taken from the system, and given back to it, in pieces of this size. */
export const SLAB_BYTES = 1024 * 1024;

/** Larger values have a slab of their own. One of this size fits beside all that a sparse slab leaves. */
const MAX_SHARED_BYTES = SLAB_BYTES / 4;

/** Up to this share of live bytes, what a slab still holds moves to another one. */
const SPARSE_SHARE = 0.5;

/** A value in slabs. It may be moved, so only `Slabs` says where it lies. */
export interface Kept {
  readonly length: number;
}

interface Placed extends Kept {
  slab: Slab;
  at: number;
}

class Slab {
  readonly #buffer: ArrayBuffer;
  readonly #bytes: Uint8Array;
  readonly kept = new Set<Placed>();
  used = 0;
  live = 0;

  constructor(size: number) {
    this.#buffer = new ArrayBuffer(size, { maxByteLength: size });
    // Of a fixed length: a view that follows its buffer's length is slower.
    this.#bytes = new Uint8Array(this.#buffer, 0, size);
  }

  get isSparse(): boolean {
    return this.live <= this.#bytes.length * SPARSE_SHARE;
  }

  hasRoom(length: number): boolean {
    return this.used + length <= this.#bytes.length;
  }

  view({ at, length }: Placed): Uint8Array {
    return this.#bytes.subarray(at, at + length);
  }

  place(placed: Placed, pieces: readonly Uint8Array[]): void {
    placed.slab = this;
    placed.at = this.used;
    for (const piece of pieces) {
      this.#bytes.set(piece, this.used);
      this.used += piece.length;
    }
    this.live += placed.length;
    this.kept.add(placed);
  }

  remove(placed: Placed): void {
    this.live -= placed.length;
    this.kept.delete(placed);
  }

  get size(): number {
    return this.#buffer.byteLength;
  }

  /** Gives the memory back at once. Its views are empty from then on. */
  discard(): void {
    this.#buffer.resize(0);
  }
}

/**
 * Many values of some KB that come and go, in memory that the system has back as soon as they are gone. As buffers of
 * their own they would wait for V8 to collect garbage, which an idle process does not, and leave holes that the C
 * library keeps. Takes at most twice the bytes of its values, and two slabs.
 */
export class Slabs {
  #current = new Slab(0);
  #heldBytes = 0;

  /** How many bytes its slabs have. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Keeps a copy of the pieces as one value. */
  keep(pieces: readonly Uint8Array[]): Kept {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const placed: Placed = { slab: this.#current, at: 0, length };
    this.#slabFor(length).place(placed, pieces);
    return placed;
  }

  /** A copy of a value, for the next release may move it. */
  read(kept: Kept): Uint8Array {
    const placed = kept as Placed;
    return Buffer.from(placed.slab.view(placed));
  }

  /** Lets go of a value, which must not be used any more. */
  release(kept: Kept): void {
    const placed = kept as Placed;
    const { slab } = placed;
    slab.remove(placed);
    if (slab !== this.#current && slab.isSparse) this.#empty(slab);
  }

  #slabFor(length: number): Slab {
    if (length > MAX_SHARED_BYTES) return this.#newSlab(length);
    if (this.#current.hasRoom(length)) return this.#current;
    const full = this.#current;
    this.#current = this.#newSlab(SLAB_BYTES);
    if (full.isSparse) this.#empty(full);
    return this.#current;
  }

  #newSlab(size: number): Slab {
    this.#heldBytes += size;
    return new Slab(size);
  }

  #empty(slab: Slab): void {
    for (const placed of [...slab.kept]) {
      const bytes = slab.view(placed);
      this.#slabFor(placed.length).place(placed, [bytes]);
    }
    this.#heldBytes -= slab.size;
    slab.discard();
  }
}
