/** Memory is taken from the system, and given back to it, in pieces of this size. */
const SLAB_BYTES = 1024 * 1024;

/** Larger values have memory of their own. Up to this size, a copy for each read is cheap, and counted while unread. */
export const MAX_SHARED_BYTES = 64 * 1024;

/** Up to this share of live bytes, what a slab still holds moves to another one. */
const SPARSE_SHARE = 0.5;

/** A kept value: where it lies in a slab, or its own memory. Only `Slabs` reads it. */
export type Kept = Placed | Uint8Array;

interface Placed {
  readonly length: number;
  slab: Slab;
  at: number;
}

class Slab {
  readonly #buffer = new ArrayBuffer(SLAB_BYTES, { maxByteLength: SLAB_BYTES });
  // Of a fixed length: a view that follows its buffer's length is slower.
  readonly #bytes = new Uint8Array(this.#buffer, 0, SLAB_BYTES);
  readonly placed = new Set<Placed>();
  #used = 0;
  #live = 0;

  get isSparse(): boolean {
    return this.#live <= SLAB_BYTES * SPARSE_SHARE;
  }

  hasRoom(length: number): boolean {
    return this.#used + length <= SLAB_BYTES;
  }

  view({ at, length }: Placed): Uint8Array {
    return this.#bytes.subarray(at, at + length);
  }

  place(placed: Placed, pieces: readonly Uint8Array[]): void {
    placed.slab = this;
    placed.at = this.#used;
    for (const piece of pieces) {
      this.#bytes.set(piece, this.#used);
      this.#used += piece.length;
    }
    this.#live += placed.length;
    this.placed.add(placed);
  }

  remove(placed: Placed): void {
    this.#live -= placed.length;
    this.placed.delete(placed);
  }

  /** Gives the memory back at once, under any view of it: so no view leaves `Slabs`. */
  discard(): void {
    this.#buffer.resize(0);
  }
}

/**
 * Thousands of values of some KB that come and go, in memory that the system has back once they are gone. In buffers of
 * their own they would wait for a garbage collection, which an idle process does not run, and then leave holes that the
 * C library keeps (D61). Slabs take at most twice the bytes of their values, and two slabs.
 */
export class Slabs {
  #current: Slab | null = null;

  keep(pieces: readonly Uint8Array[]): Kept {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (length > MAX_SHARED_BYTES) return Buffer.concat(pieces);
    const slab = this.#slabFor(length);
    const placed: Placed = { slab, at: 0, length };
    slab.place(placed, pieces);
    return placed;
  }

  /** A value, which stays as it is after its release: a copy of one in a slab, and a larger one itself. */
  read(kept: Kept): Uint8Array {
    return kept instanceof Uint8Array ? kept : Buffer.from(kept.slab.view(kept));
  }

  release(kept: Kept): void {
    if (kept instanceof Uint8Array) return;
    const { slab } = kept;
    slab.remove(kept);
    if (slab !== this.#current && slab.isSparse) this.#empty(slab);
  }

  #slabFor(length: number): Slab {
    const current = this.#current;
    if (current?.hasRoom(length)) return current;
    const slab = new Slab();
    this.#current = slab;
    if (current?.isSparse) this.#empty(current);
    return this.#current;
  }

  #empty(slab: Slab): void {
    for (const placed of slab.placed) this.#slabFor(placed.length).place(placed, [slab.view(placed)]);
    slab.discard();
  }
}
