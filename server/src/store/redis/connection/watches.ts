export interface Channels {
  subscribe(channel: string, tag: string): void;
  unsubscribe(channel: string): void;
}

/** This node's watches of inboxes. A channel is subscribed to only while an inbox is watched. */
export class Watches {
  readonly #wakes = new Map<string, Set<() => void>>();
  readonly #channels: Channels;

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  /** Does what `Store.watch` promises, for an inbox's channel with this hash tag. */
  watch(channel: string, tag: string, wake: () => void): () => void {
    // Two watches with the same function are two.
    const own = () => wake();
    const wakes = this.#wakes.get(channel) ?? new Set();
    wakes.add(own);
    if (wakes.size === 1) {
      this.#wakes.set(channel, wakes);
      this.#channels.subscribe(channel, tag);
    }
    return () => {
      if (!wakes.delete(own) || wakes.size > 0 || this.#wakes.get(channel) !== wakes) return;
      this.#wakes.delete(channel);
      this.#channels.unsubscribe(channel);
    };
  }

  received(channel: string): void {
    // A woken watch may leave.
    for (const wake of [...(this.#wakes.get(channel) ?? [])]) wake();
  }

  close(): void {
    this.#wakes.clear();
  }
}
