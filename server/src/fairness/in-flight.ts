import { type Pool, Quota, type Refusal } from './quota.js';

/** A larger message is never counted as a small one. */
const MAX_SMALL_BYTES = 64 * 1024;

/** One address may hold this part of the room, and as large a part is kept for small messages. */
const PARTS = 4;

export interface InFlightBounds {
  /** How many bytes of messages may be in memory at once. */
  readonly maxBytes: number;
  /** The largest message: at least one of that size is always taken, from each client, while no other comes in. */
  readonly maxMessageBytes: number;
  /** How many messages may be in memory at once, whatever their size: as many as connections. */
  readonly maxMessages: number;
}

/** How many bytes are kept for small messages. */
export function smallReserve({ maxBytes, maxMessageBytes }: InFlightBounds): number {
  return Math.max(Math.min(Math.floor(maxBytes / PARTS), maxBytes - maxMessageBytes), 0);
}

/**
 * The bytes of messages that are in memory over all connections: from when they arrive until they are stored or dropped (D13).
 *
 * - A quarter is kept for small messages. A message is small up to 64 KiB, or less where as many as may come at once would not fit into
 *   that quarter: so there is always room for a small one, whatever others send, and none is refused.
 * - The rest is for those that have grown larger. One client may have a quarter of all, or one message of the largest size.
 */
export class InFlight {
  /** Up to how many bytes a message is small. */
  readonly smallBytes: number;
  readonly #large: Quota;
  #bytes = 0;

  /** What large messages take of a pool, others cannot have. */
  constructor(bounds: InFlightBounds, shared?: { readonly pool: Pool; readonly reserve: number }) {
    const { maxBytes, maxMessageBytes, maxMessages } = bounds;
    const reserve = smallReserve(bounds);
    const perClient = Math.max(Math.floor(maxBytes / PARTS), maxMessageBytes);
    this.#large = new Quota({ total: maxBytes - reserve, perClient }, shared);
    this.smallBytes = Math.min(Math.floor(reserve / maxMessages), MAX_SMALL_BYTES);
  }

  /** How many bytes are in flight. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins to count a message of a client, which has no bytes yet. */
  open(client: string): MessageBytes {
    return new MessageBytes(this, client);
  }

  /** Counts a message that had `before` bytes as one of `after` bytes, or says why there is no room for it. Only for `MessageBytes`. */
  change(client: string, before: number, after: number): Refusal | null {
    const more = this.#asLarge(after) - this.#asLarge(before);
    const refused = more > 0 ? this.#large.refusal(client, more) : null;
    if (refused !== null) return refused;
    if (more !== 0) this.#large.add(client, more);
    this.#bytes += after - before;
    return null;
  }

  /** A message that has outgrown the small ones is counted as a large one with all of its bytes. */
  #asLarge(bytes: number): number {
    return bytes > this.smallBytes ? bytes : 0;
  }
}

/** What one message takes of the room. */
export class MessageBytes {
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
  take(bytes: number): Refusal | null {
    const refused = this.#inFlight.change(this.#client, this.#bytes, this.#bytes + bytes);
    if (refused === null) this.#bytes += bytes;
    return refused;
  }

  /** Counts all of its bytes out. */
  release(): void {
    this.#inFlight.change(this.#client, this.#bytes, 0);
    this.#bytes = 0;
  }
}
