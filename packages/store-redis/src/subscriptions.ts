import type { Redis } from './client.js';
import { newMessageName } from './rows.js';
import type { Servers } from './servers.js';
import { pause, repeat, within } from './timers.js';

/** How often to check whether the slots of channels have moved. */
const CHECK_SLOTS_MS = 500;

/** Minimum time between two probes of a connection. Callers in between share the next probe's result. */
const PROBE_INTERVAL_MS = 50;

const PROBE_TIMEOUT_MS = 1_000;

const CHANNELS_PER_COMMAND = 500;

interface Channel {
  readonly tag: string;
  readonly wakes: Set<() => void>;
  /** The node of the subscription, even if it has not confirmed the subscription yet. */
  node: string;
  /** Whether the node has confirmed the subscription over the current connection. */
  isInForce: boolean;
}

interface Link {
  readonly redis: Redis;
  readonly barrier: Barrier;
}

/** The watches of inboxes. Each watched inbox has a subscription at the node that owns its slot. */
export class Subscriptions {
  readonly #servers: Servers;
  readonly #channels = new Map<string, Channel>();
  readonly #links = new Map<string, Link>();
  readonly #stopChecking: () => void;

  constructor(servers: Servers) {
    this.#servers = servers;
    this.#stopChecking = repeat(CHECK_SLOTS_MS, () => this.#checkSlots());
  }

  /** See `Store.watch`. `name` is the inbox's channel, `tag` its hash tag. */
  watch(name: string, tag: string, wake: () => void): () => void {
    const channel = this.#channels.get(name) ?? { tag, wakes: new Set(), node: '', isInForce: false };
    // Wraps the function. Otherwise, the set would hold it only once even if it is passed twice.
    const own = () => wake();
    channel.wakes.add(own);
    if (channel.wakes.size === 1) {
      this.#channels.set(name, channel);
      this.#follow([name]);
    }
    return () => {
      if (!channel.wakes.delete(own) || channel.wakes.size > 0) return;
      this.#channels.delete(name);
      this.#unsubscribe(channel.node, name);
    };
  }

  /** See `Store.hasToldAll`. */
  async hasToldAll(name: string): Promise<boolean> {
    const channel = this.#channels.get(name);
    const link = channel && this.#links.get(channel.node);
    const isInForce = () => channel?.isInForce && channel.node === this.#servers.ownerOf(channel.tag);
    if (!link || !isInForce()) return false;
    const publish = (text: string) => this.#servers.command(channel.tag, 'SPUBLISH', name, text);
    return (await link.barrier.isUpToDate(publish)) && isInForce() === true;
  }

  close(): void {
    this.#stopChecking();
    this.#channels.clear();
    for (const { redis } of this.#links.values()) redis.disconnect();
  }

  #linkTo(node: string): Link {
    const known = this.#links.get(node);
    if (known !== undefined) return known;
    const redis = this.#servers.link(node);
    const link: Link = { redis, barrier: new Barrier() };
    this.#links.set(node, link);
    redis.on('ready', () => this.#follow(this.#channels.keys()));
    redis.on('close', () => {
      for (const channel of this.#channels.values()) if (channel.node === node) channel.isInForce = false;
    });
    redis.on('smessage', (name: string, text: string) => {
      if (text === '') this.#wake(name);
      else link.barrier.received(text);
    });
    // A server that loses a slot ends its subscriptions. ioredis 5.11.1 may mistake that for a reply, so reconnects.
    const renew = () => redis.status === 'ready' && redis.disconnect(true);
    for (const event of ['moved', 'error']) redis.on(event, renew);
    return link;
  }

  /** Subscribes to channels, then wakes all watchers, because announcements before the subscription are lost. */
  #subscribe(node: string, names: readonly string[]): void {
    if (node === '') return;
    const { redis } = this.#linkTo(node);
    // If the connection is not ready, its `ready` event will subscribe to all of its channels.
    if (redis.status !== 'ready') return;
    // In a cluster, all channels of a command must share a slot.
    const batch = this.#servers.place.isCluster ? 1 : CHANNELS_PER_COMMAND;
    for (let at = 0; at < names.length; at += batch) {
      const some = names.slice(at, at + batch);
      redis.ssubscribe(...some).then(
        () => {
          for (const name of some) {
            const channel = this.#channels.get(name);
            if (channel?.node === node) channel.isInForce = true;
            this.#wake(name);
          }
        },
        // The slot has moved, or the connection is lost. Either way, `#follow` runs again soon.
        () => {},
      );
    }
  }

  #unsubscribe(node: string, name: string): void {
    const redis = this.#links.get(node)?.redis;
    if (redis?.status === 'ready') redis.sunsubscribe(name).catch(() => {});
  }

  /** Subscribes to the channels at the current owners of their slots. */
  #follow(names: Iterable<string>): void {
    const moved = new Map<string, string[]>();
    for (const name of names) {
      const channel = this.#channels.get(name) as Channel;
      const node = this.#servers.ownerOf(channel.tag);
      if (node === channel.node && channel.isInForce) continue;
      if (node !== channel.node) this.#unsubscribe(channel.node, name);
      [channel.node, channel.isInForce] = [node, false];
      const others = moved.get(node);
      if (others) others.push(name);
      else moved.set(node, [name]);
    }
    for (const [node, some] of moved) this.#subscribe(node, some);
  }

  /** Follows moved slots, retries refused subscriptions, and closes connections without a channel. */
  #checkSlots(): void {
    this.#follow(this.#channels.keys());
    const used = new Set([...this.#channels.values()].map(({ node }) => node));
    for (const [node, { redis }] of this.#links) {
      if (used.size === 0 || used.has(node)) continue;
      this.#links.delete(node);
      redis.disconnect();
    }
  }

  #wake(name: string): void {
    // Iterates over a copy, because a woken watcher may end its watch and so change the set.
    for (const wake of [...(this.#channels.get(name)?.wakes ?? [])]) wake();
  }
}

/**
 * Checks whether all announcements of a node have arrived, by publishing a message. Messages arrive in order, so once
 * this message has arrived, all earlier ones have. (ioredis cannot safely send PING over a connection with
 * subscriptions while a slot may move.)
 */
class Barrier {
  /** The result of the next probe; null if none is queued. */
  #next: Promise<boolean> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #probes = new Map<string, () => void>();

  /** Resolves to false if the text that `publish` sends to a channel of the node does not arrive here in time. */
  isUpToDate(publish: (text: string) => Promise<unknown>): Promise<boolean> {
    this.#next ??= this.#probe(publish);
    return this.#next;
  }

  received(text: string): void {
    this.#probes.get(text)?.();
  }

  async #probe(publish: (text: string) => Promise<unknown>): Promise<boolean> {
    await this.#last;
    // Later callers need another probe, because this one does not cover announcements published after it.
    this.#next = null;
    const text = newMessageName();
    const arrived = new Promise<void>((resolve) => {
      this.#probes.set(text, resolve);
    });
    const result = within(PROBE_TIMEOUT_MS, Promise.all([arrived, publish(text)]), () => new Error('no answer'))
      .then(() => true)
      .catch(() => false)
      .finally(() => this.#probes.delete(text));
    this.#last = Promise.all([result, pause(PROBE_INTERVAL_MS)]);
    return result;
  }
}
