/** Messages are copied in blocks of this size; some blocks are kept for the next messages. */
const BLOCK_BYTES = 1024 * 1024;
const MAX_SPARE_BLOCKS = 32;

/**
 * A copy of a message where threads can read it, too. To join the pieces here, or to have a whole message copied when
 * it is handed over, would stop the event loop for some 10 ms each.
 *
 * Its memory is used again: V8 does not count what is shared when it decides whether to collect garbage, so that ten
 * times as much would pile up as is in use.
 */
export class SharedCopy {
  readonly #spare: Uint8Array[];
  readonly #blocks: Uint8Array[] = [];
  #bytes = 0;

  /** `spare` are the blocks that are free, shared by all copies. */
  constructor(spare: Uint8Array[]) {
    this.#spare = spare;
  }

  /** The message in pieces, which are not to be read any more after `release`. */
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
