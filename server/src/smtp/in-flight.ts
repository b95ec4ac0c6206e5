/**
 * How many bytes of messages are in memory over all connections: from when they arrive until they are stored or dropped
 * (D13). Many clients that each stay within the limits of one must not exhaust the memory together.
 */
export class InFlight {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many bytes are in flight. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts bytes that have arrived, or answers false when there is no room for them. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes out that were taken before. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
