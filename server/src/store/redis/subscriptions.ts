import { type Client, RefusedCommand } from './client.js';

/** How many channels one command subscribes to. */
const CHANNELS_AT_ONCE = 500;

/** What is told to whoever subscribes. */
export interface SubscriptionListener {
  /** A channel that is subscribed to may have had a message. */
  heard(channel: string): void;
  /** Channels that were subscribed to are not this server's, or no longer. */
  strayed?(channels: readonly string[]): void;
}

/** The channels that one connection is subscribed to, again each time that it is made anew. */
export class Subscriptions {
  readonly #client: Client;
  readonly #listener: SubscriptionListener;
  /** What is subscribed to, and the hash tag of each: one command subscribes to those of one slot. */
  readonly #channels = new Map<string, string>();

  constructor(client: Client, listener: SubscriptionListener) {
    this.#client = client;
    this.#listener = listener;
    client.on('ready', () => this.#subscribeAgain());
    client.on('sharded-channel-moved', (channel: string) => listener.strayed?.([channel]));
  }

  /** Does what `Servers.subscribe` says. */
  subscribe(channel: string, tag: string): void {
    this.#channels.set(channel, tag);
    if (this.#client.isReady) this.#subscribeTo([channel]);
  }

  unsubscribe(channel: string): void {
    this.#channels.delete(channel);
    if (this.#client.isReady) this.#client.sUnsubscribe(channel).catch(() => {});
  }

  /** What was said meanwhile is lost, so whoever waits looks once. */
  #subscribeAgain(): void {
    // The client has subscribed again to all that it knew of, also to what has been left while there was no connection.
    for (const channel of [...this.#client.getPubSubListeners('SHARDED').keys()]) {
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
    this.#client.sSubscribe(channels, this.#heard).then(
      () => {
        for (const channel of channels) this.#listener.heard(channel);
      },
      (error) => {
        // Where the connection is lost, all channels are subscribed to again when it is back.
        if (error instanceof RefusedCommand) this.#listener.strayed?.(channels);
      },
    );
  }

  readonly #heard = (_message: string, channel: string) => {
    this.#listener.heard(channel);
  };
}
