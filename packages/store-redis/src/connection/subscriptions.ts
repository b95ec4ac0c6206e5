import { type Link, type LinkListener, RefusedCommand } from './client.js';
import { noticingDelay, pause } from './timers.js';

/** Least time between two questions: callers in between share an answer. */
const ASK_EVERY_MS = 50;

const ANSWER_MS = 1_000;

/** Time without an answer after which the connection is remade: its other end may be gone. */
const SILENT_MS = 10_000;

/** Whether everything a server sent has been received: messages come in order, so the answer to a PING proves it. */
class SubscriptionBarrier {
  readonly #link: Link;
  /** The answer to the next question; null if none has been asked since the last one. */
  #next: Promise<boolean> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(link: Link) {
    this.#link = link;
  }

  /** False if the server does not answer in time. */
  isUpToDate(): Promise<boolean> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  async #askNext(): Promise<boolean> {
    await this.#last;
    // A later caller may mean messages sent after this question.
    this.#next = null;
    const answer = this.#ask();
    this.#last = Promise.all([answer, pause(ASK_EVERY_MS)]);
    return answer;
  }

  async #ask(): Promise<boolean> {
    const { client } = this.#link;
    if (!client.isReady) return false;
    const isStillUsed = () => client === this.#link.client;
    const answered = client.sendCommand(['PING']).then(
      () => isStillUsed() && client.isReady,
      () => false,
    );
    const renew = () => {
      if (isStillUsed()) this.#link.renew();
    };
    return Promise.race([noticingDelay(SILENT_MS, answered, renew), pause(ANSWER_MS).then(() => false)]);
  }
}

const CHANNELS_AT_ONCE = 500;

export interface SubscriptionListener {
  received(channel: string): void;
  /** Subscribed channels are not, or no longer, at this server. */
  moved?(channels: readonly string[]): void;
}

/** The channels that one connection is subscribed to, and again after each reconnect. */
export class Subscriptions {
  readonly link: Link;
  readonly #listener: SubscriptionListener;
  readonly #barrier: SubscriptionBarrier;
  /** Each channel's hash tag: one command subscribes to channels of one slot. */
  readonly #channels = new Map<string, string>();
  /** Channels whose subscription this connection's server has confirmed. */
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
    // With the listener named, the library sends a subscription that follows at once (6.3.1).
    if (this.link.isReady) this.link.client.sUnsubscribe(channel, this.#received).catch(() => {});
  }

  isCaughtUp(channel: string): Promise<boolean> {
    return this.#barrier.isUpToDate().then((isUpToDate) => isUpToDate && this.#inForce.has(channel));
  }

  /** Messages in between are lost, so each waiter looks once. */
  #subscribeAgain(): void {
    this.#inForce.clear();
    // The client resubscribed to everything it knew, including channels left while there was no connection.
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
        // After a lost connection, all channels are subscribed to again.
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
