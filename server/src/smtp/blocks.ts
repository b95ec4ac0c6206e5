/** How large blocks are, the smallest first: as a text, a mail of HTML, and the largest message that is small. */
const SIZES = [4, 16, 64].map((kib) => kib * 1024);

/** How many blocks of one size are kept for later. */
const KEPT = 32;

/**
 * Memory for messages, used again and again. Memory that is allocated for each message lies outside of V8's heap, and a few MB of it
 * make V8 look through all of the heap: that was a fifth of what a mail cost.
 */
export class Blocks {
  readonly #kept: readonly Uint8Array[][] = SIZES.map(() => []);

  /** A block with room for so many bytes, whatever it holds by now; null where none is that large. */
  take(bytes: number): Uint8Array | null {
    const size = SIZES.findIndex((room) => bytes <= room);
    if (size < 0) return null;
    return this.#kept[size]?.pop() ?? Buffer.allocUnsafeSlow(SIZES[size] as number);
  }

  /** Takes a block back. Nobody reads it or writes to it any more. */
  giveBack(block: Uint8Array): void {
    const kept = this.#kept[SIZES.indexOf(block.length)];
    if (kept !== undefined && kept.length < KEPT) kept.push(block);
  }
}
