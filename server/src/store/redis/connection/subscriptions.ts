import { RefusedCommand } from './client.js';
import type { Link, LinkListener } from './link.js';
import { SubscriptionBarrier } from './subscription-barrier.js';

const CHANNELS_AT_ONCE = 500;

export interface SubscriptionListener {
  /** A channel that is subscribed to may have had a message. */
  received(channel: string): void;
  /** Channels that were subscribed to are not this server's, or no longer. */
  moved?(channels: readonly string[]): void;
}

/** The channels that one connection is subscribed to, again each time that it is made anew. */
export class Subscriptions {
  /** The connection. Nothing goes over it beside what has to do with channels. */
  readonly link: Link;
  readonly #listener: SubscriptionListener;
  readonly #barrier: SubscriptionBarrier;
  /** What is subscribed to, and the hash tag of each: one command subscribes to those of one slot. */
  readonly #channels = new Map<string, string>();
  /** Those of them of which the server has said so, over the connection that there is. */
  readonly #inForce = new Set<string>();

  constructor(newLink: (listener: Pick<LinkListener, 'made' | 'ready'>) => Link, listener: SubscriptionListener) {
    this.#listener = listener;
    this.link = newLink({
      made: (client) => client.on('sharded-channel-moved', (channel: string) => this.#moved([channel])),
      ready: () => this.#subscribeAgain(),
    });
    this.#barrier = new SubscriptionBarrier(this.link);
  }

  subscribe(channel: string, tag: string): void {
    this.#channels.set(channel, tag);
    if (this.link.isReady) this.#subscribeTo([channel]);
  }

  unsubscribe(channel: string): void {
    this.#channels.delete(channel);
    this.#inForce.delete(channel);
    // With the listener named, the library knows that a subscription which comes at once has to be sent (6.3.1).
    if (this.link.isReady) this.link.client.sUnsubscribe(channel, this.#received).catch(() => {});
  }

  isCaughtUp(channel: string): Promise<boolean> {
    return this.#barrier.isUpToDate().then((isUpToDate) => isUpToDate && this.#inForce.has(channel));
  }

  /** What was said meanwhile is lost, so whoever waits looks once. */
  #subscribeAgain(): void {
    this.#inForce.clear();
    // The client has subscribed again to all that it knew of, also to what has been left while there was no connection.
    for (const channel of [...this.link.client.getPubSubListeners('SHARDED').keys()]) {
      if (!this.#channels.has(channel)) this.unsubscribe(channel);
    }
    const byTag = new Map<string, string[]>();
    for (const [channel, tag] of this.#channels) {
      const channels = byTag.get(tag);
      if (channels) channels.push(channel);
      else byTag.set(tag, [channel]);
    }
    for (const channels of byTag.values()) {
      for (let at = 0; at < channels.length; at += CHANNELS_AT_ONCE) {
        this.#subscribeTo(channels.slice(at, at + CHANNELS_AT_ONCE));
      }
    }
  }

  #subscribeTo(channels: string[]): void {
    this.link.client.sSubscribe(channels, this.#received).then(
      () => {
        for (const channel of channels) {
          if (this.#channels.has(channel)) this.#inForce.add(channel);
          this.#listener.received(channel);
        }
      },
      (error) => {
        // Where the connection is lost, all channels are subscribed to again when it is back.
        if (error instanceof RefusedCommand) this.#moved(channels);
      },
    );
  }

  #moved(channels: readonly string[]): void {
    for (const channel of channels) this.#inForce.delete(channel);
    this.#listener.moved?.(channels);
  }

  readonly #received = (_message: string, channel: string) => {
    this.#listener.received(channel);
  };
}
