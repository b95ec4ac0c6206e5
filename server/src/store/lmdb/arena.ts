/**
 * Memory for the values of one transaction, used again for the next one. So the bytes of a message are copied once on their way
 * into the store, and nothing is allocated and collected for each.
 */
export class Arena {
  readonly #memory: Buffer;
  #used = 0;

  constructor(bytes: number) {
    // Memory that nobody has written to yet takes no room.
    this.#memory = Buffer.allocUnsafeSlow(bytes);
  }

  /** Gives all of it free. What it gave out before is written over from now on. */
  reset(): void {
    this.#used = 0;
  }

  /** A copy of the pieces in one, valid until the next `reset`. */
  joined(pieces: readonly Uint8Array[], bytes: number): Buffer {
    const start = this.#used;
    if (start + bytes > this.#memory.length) return Buffer.concat(pieces);
    for (const piece of pieces) {
      this.#memory.set(piece, this.#used);
      this.#used += piece.length;
    }
    return this.#memory.subarray(start, this.#used);
  }
}
