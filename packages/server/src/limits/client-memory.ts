import { Quota, type QuotaBounds, type Refusal } from './quota.js';

const MIB = 1024 * 1024;

/** Maximum bytes held for HTTP clients (D47): unread answers, and messages that the clients are still sending. */
export const HELD_BOUNDS = { total: 96 * MIB, perClient: 32 * MIB } as const satisfies QuotaBounds;

/** If `max-in-flight` is lower, incoming mail and HTTP together may still hold this much (D49). */
const LEAST_TOTAL_BYTES = 256 * MIB;

/** Maximum size of a small message. */
const MAX_SMALL_BYTES = 64 * 1024;

/** Number of equal shares of the memory. One client may hold one share, and another is reserved for small messages. */
const PARTS = 4;

export interface InFlightBounds {
  readonly maxBytes: number;
  /** Maximum size of a message. A message of this size is always accepted while no other message is in memory. */
  readonly maxMessageBytes: number;
  /** Maximum number of messages in memory, whatever their size: as many as connections. */
  readonly maxMessages: number;
}

/**
 * Counts the bytes of messages in memory over all connections, from DATA until a message is stored or dropped (D13).
 * - A quarter of the memory is reserved for small messages (at most 64 KiB, or less if the quarter cannot hold one for
 * each connection), so that none is ever refused, whatever others send.
 * - The rest, minus what HTTP may hold (D49), is for larger messages. One client may have a quarter of all memory, or
 * one message of the largest size, whichever is more.
 */
export function inFlight({ maxBytes, maxMessageBytes, maxMessages }: InFlightBounds) {
  const reserve = Math.max(Math.min(Math.floor(maxBytes / PARTS), maxBytes - maxMessageBytes), 0);
  const besideHttp = Math.max(maxBytes, LEAST_TOTAL_BYTES) - HELD_BOUNDS.total - reserve;
  const total = Math.min(maxBytes - reserve, Math.max(besideHttp, maxMessageBytes));
  const large = new Quota({ total, perClient: Math.max(Math.floor(maxBytes / PARTS), maxMessageBytes) });
  const smallBytes = Math.min(Math.floor(reserve / maxMessages), MAX_SMALL_BYTES);

  /** Counts one message: no bytes while it is small, and all its bytes once it is larger. */
  return (client: string) => {
    let size = 0;
    let counted = 0;
    return {
      /** Takes more bytes. Returns null, or the reason why there is no room. */
      take: (bytes: number): Refusal | null => {
        const more = size + bytes > smallBytes ? size + bytes - counted : 0;
        const refused = more > 0 ? large.acquire(client, more) : null;
        if (refused !== null) return refused;
        size += bytes;
        counted += more;
        return null;
      },
      release: (): void => {
        large.release(client, counted);
        size = 0;
        counted = 0;
      },
    };
  };
}

export type InFlight = ReturnType<typeof inFlight>;
export type MessageBytes = ReturnType<InFlight>;

export const LEAST_BYTES_PER_SECOND = 128 * 1024;

interface Held {
  readonly client: string;
  readonly bytes: number;
  /** Ends the holder of the bytes, such as a connection. Afterwards the holder must hold no bytes. */
  cut(): void;
}

interface Watcher {
  freed?(): void;
  cut?(): void;
}

/**
 * Bytes that are held for clients. If they exceed the total bound, the client that holds the most loses its oldest
 * bytes. Holders enforce the bound per client: while `isFullFor` is true for a client, they begin nothing new for it.
 */
export class HeldBytes {
  readonly #quota = new Quota(HELD_BOUNDS);
  readonly #held = new Map<string, Map<object, Held>>();
  readonly #watchers: Watcher[] = [];

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  isFullFor(client: string): boolean {
    return this.#quota.isFullFor(client);
  }

  /** Replaces the bytes held for a key; 0 releases them. */
  set(key: object, held: Held): void {
    const { client, bytes } = held;
    const ofClient = this.#held.get(client) ?? new Map<object, Held>();
    const more = bytes - (ofClient.get(key)?.bytes ?? 0);
    if (more === 0) return;
    if (bytes > 0) this.#held.set(client, ofClient.set(key, held));
    else if (ofClient.delete(key) && ofClient.size === 0) this.#held.delete(client);
    this.#quota.add(client, more);
    // Deferred, because other holders may immediately take the freed bytes.
    if (more < 0) queueMicrotask(this.#tellFreed);
    else while (this.#quota.isExceeded) this.#cutOne();
  }

  readonly #tellFreed = (): void => {
    for (const { freed } of this.#watchers) freed?.();
  };

  #cutOne(): void {
    let [largest, most] = ['', 0];
    for (const client of this.#held.keys()) {
      const bytes = this.#quota.of(client);
      if (bytes > most) [largest, most] = [client, bytes];
    }
    const [first] = this.#held.get(largest) ?? [];
    if (first === undefined) return;
    const [key, held] = first;
    // Releases the bytes immediately, because the holder itself releases them only after it has ended.
    this.set(key, { ...held, bytes: 0 });
    for (const { cut } of this.#watchers) cut?.();
    held.cut();
  }
}
