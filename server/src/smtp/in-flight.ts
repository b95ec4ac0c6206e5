/** A larger message is never counted as a small one. */
const MAX_SMALL_BYTES = 64 * 1024;

/** One address may hold this part of the room, and as large a part is kept for small messages. */
const PARTS = 4;

/** Why there is no room for a message: its client holds as much as one may, or all clients together do. */
export type NoRoom = 'client-full' | 'all-taken';

export interface InFlightBounds {
  /** How many bytes of messages may be in memory at once. */
  readonly maxBytes: number;
  /** The largest message: at least one of that size is always taken, from each client, while no other comes in. */
  readonly maxMessageBytes: number;
  /** How many messages may be in memory at once, whatever their size: as many as connections. */
  readonly maxMessages: number;
}

/**
 * The bytes of messages that are in memory over all connections: from when they arrive until they are stored or dropped (D13). Many
 * clients that each stay within the limits of one must not exhaust the memory together, and one alone must not keep the others out.
 *
 * - A quarter of it is kept for small messages. A message is small up to 64 KiB, or less where as many as may come at once would
 *   not fit into that quarter: so there is always room for a small one, whatever others send.
 * - The rest is for those that have grown larger. One client may have a quarter of all, or one message of the largest size.
 */
export class InFlight {
  readonly #largeBytes: number;
  readonly #clientBytes: number;
  readonly #smallBytes: number;
  /** How many bytes of large messages each client has. */
  readonly #largeByClient = new Map<string, number>();
  #large = 0;
  #bytes = 0;

  constructor({ maxBytes, maxMessageBytes, maxMessages }: InFlightBounds) {
    const reserve = Math.max(Math.min(Math.floor(maxBytes / PARTS), maxBytes - maxMessageBytes), 0);
    this.#largeBytes = maxBytes - reserve;
    this.#clientBytes = Math.max(Math.floor(maxBytes / PARTS), maxMessageBytes);
    this.#smallBytes = Math.min(Math.floor(reserve / maxMessages), MAX_SMALL_BYTES);
  }

  /** How many bytes are in flight. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Up to how many bytes a message is small. */
  get smallBytes(): number {
    return this.#smallBytes;
  }

  /** Begins to count a message of a client, which has no bytes yet. */
  open(client: string): Held {
    return new Held(this, client);
  }

  /** Counts a message that had `before` bytes as one of `after` bytes, or says why there is no room for it. Only for `Held`. */
  change(client: string, before: number, after: number): NoRoom | null {
    const more = this.#asLarge(after) - this.#asLarge(before);
    const held = (this.#largeByClient.get(client) ?? 0) + more;
    if (more > 0 && held > this.#clientBytes) return 'client-full';
    if (more > 0 && this.#large + more > this.#largeBytes) return 'all-taken';
    this.#bytes += after - before;
    this.#large += more;
    if (held > 0) this.#largeByClient.set(client, held);
    else this.#largeByClient.delete(client);
    return null;
  }

  /** A message that has outgrown the small ones is counted as a large one with all of its bytes. */
  #asLarge(bytes: number): number {
    return bytes > this.#smallBytes ? bytes : 0;
  }
}

/** What one message takes of the room. */
export class Held {
  readonly #inFlight: InFlight;
  readonly #client: string;
  #bytes = 0;

  constructor(inFlight: InFlight, client: string) {
    this.#inFlight = inFlight;
    this.#client = client;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts bytes that have arrived, or says why there is no room for them. */
  take(bytes: number): NoRoom | null {
    const noRoom = this.#inFlight.change(this.#client, this.#bytes, this.#bytes + bytes);
    if (noRoom === null) this.#bytes += bytes;
    return noRoom;
  }

  /** Counts all of its bytes out. */
  release(): void {
    this.#inFlight.change(this.#client, this.#bytes, 0);
    this.#bytes = 0;
  }
}
