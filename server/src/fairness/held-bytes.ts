import { type Pool, Quota, type QuotaBounds } from './quota.js';

/** How many bytes may be held for clients over HTTP, in all and for one: answers not read, and requests not begun (D47). */
export const HELD_BOUNDS = { total: 96 * 1024 * 1024, perClient: 32 * 1024 * 1024 } as const satisfies QuotaBounds;

/** What is held for one answer, request or connection of a client. */
interface Held {
  readonly client: string;
  readonly bytes: number;
  /** Ends it. Nothing of it is held afterwards. */
  cut(): void;
}

/** Who is told when bytes are let go, and when a client is cut. */
interface Watcher {
  freed?(client: string): void;
  cut?(): void;
}

/**
 * The bytes held in memory for clients over HTTP. Where all have more than they may, the client that has most loses what was held first.
 * The bound of one client is its holders' to keep: they begin nothing more for a client that `isFullFor`.
 */
export class HeldBytes {
  readonly #quota: Quota;
  /** By client, what each key stands for; what was held first in front. */
  readonly #byClient = new Map<string, Map<object, Held>>();
  readonly #watchers: Watcher[] = [];
  /** Who has less than before, and has not been told of it. */
  readonly #freed = new Set<string>();

  constructor(bounds: QuotaBounds = HELD_BOUNDS, shared?: { readonly pool: Pool; readonly reserve: number }) {
    this.#quota = new Quota(bounds, shared);
  }

  /** How many bytes are held for all. */
  get bytes(): number {
    return this.#quota.used;
  }

  /** Tells a watcher from now on. */
  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  /** Whether a client has as much as one may have, or more. */
  isFullFor(client: string): boolean {
    return this.#quota.isFullFor(client);
  }

  /** What a client has. */
  of(client: string): number {
    return this.#quota.of(client);
  }

  /** Holds so many bytes for a key from now on, in place of what was held for it; with none, nothing. */
  set(key: object, held: Held): void {
    const { client, bytes } = held;
    const ofClient = this.#byClient.get(client) ?? new Map<object, Held>();
    const more = bytes - (ofClient.get(key)?.bytes ?? 0);
    if (more === 0) return;
    this.#quota.add(client, more);
    if (bytes > 0) ofClient.set(key, held);
    else ofClient.delete(key);
    if (ofClient.size > 0) this.#byClient.set(client, ofClient);
    else this.#byClient.delete(client);
    if (more < 0) this.#tellFreed(client);
    else while (this.#quota.isExceeded && this.#byClient.size > 0) this.#cutOne();
  }

  /** Tells of it when whoever let go of it is done: what is begun then may hold more at once. */
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

  /** Makes room for others at the cost of the client that takes most. */
  #cutOne(): void {
    for (const [key, held] of this.#byClient.get(this.#quota.largest ?? '') ?? []) {
      // What it ends tells of its end later.
      this.set(key, { ...held, bytes: 0 });
      for (const { cut } of this.#watchers) cut?.();
      held.cut();
      return;
    }
  }
}
