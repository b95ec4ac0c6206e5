import type { Clock } from '../base/clock.js';
import { Pool, Quota, type QuotaBounds, type Refusal } from './quota.js';

/** A larger message is never small. */
const MAX_SMALL_BYTES = 64 * 1024;

/** One address may hold this part of the room, and as large a part is kept for small messages. */
const PARTS = 4;

export interface InFlightBounds {
  readonly maxBytes: number;
  /** The largest message: each client may always send one of that size while no other comes in. */
  readonly maxMessageBytes: number;
  /** Messages in memory at once, whatever their size: as many as connections. */
  readonly maxMessages: number;
}

function smallReserve({ maxBytes, maxMessageBytes }: InFlightBounds): number {
  return Math.max(Math.min(Math.floor(maxBytes / PARTS), maxBytes - maxMessageBytes), 0);
}

/**
 * Bytes of messages in memory over all connections, from their arrival until they are stored or dropped (D13).
 * - A quarter is kept for small messages: up to 64 KiB, or less if as many as may come at once would not fit into that
 * quarter. So a small message is never refused, whatever others send.
 * - The rest is for larger ones. One client may have a quarter of all, or one message of the largest size.
 */
export class InFlight {
  readonly smallBytes: number;
  readonly #large: Quota;
  #bytes = 0;

  /** In a pool, what large messages take is not available to others. */
  constructor(bounds: InFlightBounds, shared?: { readonly pool: Pool; readonly reserve: number }) {
    const { maxBytes, maxMessageBytes, maxMessages } = bounds;
    const reserve = smallReserve(bounds);
    const perClient = Math.max(Math.floor(maxBytes / PARTS), maxMessageBytes);
    this.#large = new Quota({ total: maxBytes - reserve, perClient }, shared);
    this.smallBytes = Math.min(Math.floor(reserve / maxMessages), MAX_SMALL_BYTES);
  }

  get bytes(): number {
    return this.#bytes;
  }

  open(client: string): MessageBytes {
    return new MessageBytes(this, client);
  }

  /** Changes a message's size, or returns why there is no room. Only for `MessageBytes`. */
  change(client: string, before: number, after: number): Refusal | null {
    const more = this.#asLarge(after) - this.#asLarge(before);
    const refused = more > 0 ? this.#large.refusal(client, more) : null;
    if (refused !== null) return refused;
    if (more !== 0) this.#large.add(client, more);
    this.#bytes += after - before;
    return null;
  }

  /** A message that has outgrown the small ones counts as large with all of its bytes. */
  #asLarge(bytes: number): number {
    return bytes > this.smallBytes ? bytes : 0;
  }
}

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

  take(bytes: number): Refusal | null {
    const refused = this.#inFlight.change(this.#client, this.#bytes, this.#bytes + bytes);
    if (refused === null) this.#bytes += bytes;
    return refused;
  }

  release(): void {
    this.#inFlight.change(this.#client, this.#bytes, 0);
    this.#bytes = 0;
  }
}

/** Bytes held for HTTP clients: unread answers and requests that have not begun (D47). */
export const HELD_BOUNDS = { total: 96 * 1024 * 1024, perClient: 32 * 1024 * 1024 } as const satisfies QuotaBounds;

export const LEAST_BYTES_PER_SECOND = 128 * 1024;

/** The longest credit for what a client read or sent at once. */
const MOST_CREDIT_MS = 1_000;

/** What a moving client holds counts as this fraction: a stalled crowd must not outlast it. */
const MOVING_PART = 16;

interface Held extends Progress {
  readonly client: string;
  readonly bytes: number;
  /** Ends it. It must hold nothing afterwards. */
  cut(): void;
}

export interface Progress {
  /** Bytes that it has read or sent since this was last said. */
  readonly moved?: number;
  /** Whether it has done its part and waits for ours. */
  readonly isOwed?: boolean;
}

interface Account {
  /** By key, the oldest first. */
  readonly held: Map<object, Held>;
  movesUntil: number;
  owed: number;
}

interface Watcher {
  freed?(client: string): void;
  cut?(): void;
}

/**
 * Bytes held in memory for HTTP clients. When all together exceed their bound, the largest client loses what was held
 * first; one that moves, or waits for us, counts as smaller. A client's own bound is up to the holders: they begin
 * nothing more for a client that `isFullFor`.
 */
export class HeldBytes {
  readonly #quota: Quota;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #accounts = new Map<string, Account>();
  readonly #watchers: Watcher[] = [];
  /** Clients whose watchers are still to be told. */
  readonly #freed = new Set<string>();

  constructor(
    clock: Pick<Clock, 'monotonic'>,
    bounds: QuotaBounds = HELD_BOUNDS,
    shared?: { readonly pool: Pool; readonly reserve: number },
  ) {
    this.#clock = clock;
    this.#quota = new Quota(bounds, shared);
  }

  get bytes(): number {
    return this.#quota.used;
  }

  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  isFullFor(client: string): boolean {
    return this.#quota.isFullFor(client);
  }

  of(client: string): number {
    return this.#quota.of(client);
  }

  /** Holds bytes for a key in place of what was held for it; 0 ends that. */
  set(key: object, held: Held): void {
    const { client, bytes } = held;
    const account = this.#accounts.get(client) ?? { held: new Map(), movesUntil: 0, owed: 0 };
    const before = account.held.get(key);
    this.#note(account, before, held);
    if (bytes > 0) account.held.set(key, held);
    else account.held.delete(key);
    if (account.held.size > 0) this.#accounts.set(client, account);
    else this.#accounts.delete(client);
    const more = bytes - (before?.bytes ?? 0);
    if (more === 0) return;
    this.#quota.add(client, more);
    if (more < 0) this.#tellFreed(client);
    else while (this.#quota.isExceeded && this.#accounts.size > 0) this.#cutOne();
  }

  #note(account: Account, before: Held | undefined, { bytes, moved = 0, isOwed = false }: Held): void {
    account.owed += Number(isOwed && bytes > 0) - Number(before?.isOwed ?? false);
    if (moved === 0) return;
    const now = this.#clock.monotonic();
    const until = Math.max(account.movesUntil, now) + (moved / LEAST_BYTES_PER_SECOND) * 1_000;
    account.movesUntil = Math.min(until, now + MOST_CREDIT_MS);
  }

  /** Watchers hear of it after the caller is done: they may hold more at once. */
  #tellFreed(client: string): void {
    if (this.#freed.size === 0) {
      queueMicrotask(() => {
        const clients = [...this.#freed];
        this.#freed.clear();
        for (const each of clients) for (const { freed } of this.#watchers) freed?.(each);
      });
    }
    this.#freed.add(client);
  }

  #cutOne(): void {
    for (const [key, held] of this.#accounts.get(this.#largest())?.held ?? []) {
      // The ended answer reports its end later.
      this.set(key, { client: held.client, bytes: 0, cut: held.cut });
      for (const { cut } of this.#watchers) cut?.();
      held.cut();
      return;
    }
  }

  #largest(): string {
    const now = this.#clock.monotonic();
    let [largest, most] = ['', 0];
    for (const [client, { owed, movesUntil }] of this.#accounts) {
      const size = this.of(client) / (owed > 0 || movesUntil > now ? MOVING_PART : 1);
      if (size > most) [largest, most] = [client, size];
    }
    return largest;
  }
}

/** What mail in flight and HTTP may hold together, even if `max-in-flight` is less (D49). */
const LEAST_TOTAL_BYTES = 256 * 1024 * 1024;

export interface Memory {
  readonly inFlight: InFlight;
  readonly held: HeldBytes;
}

/**
 * One account of both: together they hold at most `max-in-flight`, or 256 MiB if that is more (D49). HTTP always has as
 * much as one of its clients may have, and mail what is left when HTTP has its most. In bytes; tests give `total` and
 * `heldBounds`.
 */
export function memoryOf(
  bounds: InFlightBounds,
  clock: Pick<Clock, 'monotonic'>,
  total = Math.max(bounds.maxBytes, LEAST_TOTAL_BYTES),
  heldBounds: QuotaBounds = HELD_BOUNDS,
): Memory {
  // Small messages are never refused, so their reserve is theirs alone.
  const room = total - smallReserve(bounds);
  const pool = new Pool(room);
  return {
    inFlight: new InFlight(bounds, { pool, reserve: room - heldBounds.total }),
    held: new HeldBytes(clock, heldBounds, { pool, reserve: heldBounds.perClient }),
  };
}
