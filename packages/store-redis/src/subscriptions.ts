import type { Redis } from './client.js';
import { newMessageName } from './rows.js';
import type { Servers } from './servers.js';
import { pause, repeat, within } from './timers.js';

/** How often a channel is looked after whose slot may have moved. */
const LOOK_MS = 500;

/** Least time between two questions over a connection: callers in between share an answer. */
const ASK_EVERY_MS = 50;

const ANSWER_MS = 1_000;

const CHANNELS_AT_ONCE = 500;

interface Channel {
  readonly tag: string;
  readonly wakes: Set<() => void>;
  /** The node that it is subscribed to, or about to be. */
  node: string;
  /** Whether that node has confirmed it over the connection that there is. */
  isInForce: boolean;
}

interface Link {
  readonly redis: Redis;
  readonly barrier: Barrier;
}

/** This store's watches of inboxes: a channel is subscribed to, at the node that has its slot, while one is watched. */
export class Subscriptions {
  readonly #servers: Servers;
  readonly #channels = new Map<string, Channel>();
  readonly #links = new Map<string, Link>();
  readonly #stopLooking: () => void;

  constructor(servers: Servers) {
    this.#servers = servers;
    this.#stopLooking = repeat(LOOK_MS, () => this.#look());
  }

  /** Does what `Store.watch` promises, for an inbox's channel with this hash tag. */
  watch(name: string, tag: string, wake: () => void): () => void {
    const channel = this.#channels.get(name) ?? { tag, wakes: new Set(), node: '', isInForce: false };
    // Two watches with the same function are two.
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

  /** Does what `Store.hasToldAll` promises. */
  async hasToldAll(name: string): Promise<boolean> {
    const channel = this.#channels.get(name);
    const link = channel && this.#links.get(channel.node);
    const isInForce = () => channel?.isInForce && channel.node === this.#servers.ownerOf(channel.tag);
    if (!link || !isInForce()) return false;
    const ask = (text: string) => this.#servers.command(channel.tag, 'SPUBLISH', name, text);
    return (await link.barrier.isUpToDate(ask)) && isInForce() === true;
  }

  close(): void {
    this.#stopLooking();
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
    // A server drops a channel whose slot has moved. The library may mistake that for a reply (5.11.1).
    const renew = () => redis.status === 'ready' && redis.disconnect(true);
    for (const event of ['moved', 'error']) redis.on(event, renew);
    return link;
  }

  /** What was announced before a subscription is in force is lost, so each waiter looks once. */
  #subscribe(node: string, names: readonly string[]): void {
    if (node === '') return;
    const { redis } = this.#linkTo(node);
    // When it is made, all of its channels are subscribed to.
    if (redis.status !== 'ready') return;
    // One command subscribes to channels of one slot.
    const atOnce = this.#servers.place.isCluster ? 1 : CHANNELS_AT_ONCE;
    for (let at = 0; at < names.length; at += atOnce) {
      const some = names.slice(at, at + atOnce);
      redis.ssubscribe(...some).then(
        () => {
          for (const name of some) {
            const channel = this.#channels.get(name);
            if (channel?.node === node) channel.isInForce = true;
            this.#wake(name);
          }
        },
        // The slot has moved, or the connection is lost: looked after then.
        () => {},
      );
    }
  }

  #unsubscribe(node: string, name: string): void {
    const redis = this.#links.get(node)?.redis;
    if (redis?.status === 'ready') redis.sunsubscribe(name).catch(() => {});
  }

  /** Subscribes to channels where their slots are now. */
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

  /** Follows slots that have moved, tries again what a node refused, and drops connections without a channel. */
  #look(): void {
    this.#follow(this.#channels.keys());
    const used = new Set([...this.#channels.values()].map(({ node }) => node));
    for (const [node, { redis }] of this.#links) {
      if (used.size === 0 || used.has(node)) continue;
      this.#links.delete(node);
      redis.disconnect();
    }
  }

  #wake(name: string): void {
    // A woken watch may leave.
    for (const wake of [...(this.#channels.get(name)?.wakes ?? [])]) wake();
  }
}

/**
 * Whether everything that a node announced was received: what it publishes comes in order, so what we publish ourselves
 * proves it. (The library gives no way to ask over a connection with subscriptions while a slot may move.)
 */
class Barrier {
  /** The answer to the next question; null if none has been asked since the last one. */
  #next: Promise<boolean> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  readonly #asked = new Map<string, () => void>();

  /** `ask` publishes a text on a channel of the node. False if it does not come in time. */
  isUpToDate(ask: (text: string) => Promise<unknown>): Promise<boolean> {
    this.#next ??= this.#askNext(ask);
    return this.#next;
  }

  received(text: string): void {
    this.#asked.get(text)?.();
  }

  async #askNext(ask: (text: string) => Promise<unknown>): Promise<boolean> {
    await this.#last;
    // A later caller may mean messages sent after this question.
    this.#next = null;
    const text = newMessageName();
    const came = new Promise<void>((resolve) => {
      this.#asked.set(text, resolve);
    });
    const answer = within(ANSWER_MS, Promise.all([came, ask(text)]), () => new Error('no answer'))
      .then(() => true)
      .catch(() => false)
      .finally(() => this.#asked.delete(text));
    this.#last = Promise.all([answer, pause(ASK_EVERY_MS)]);
    return answer;
  }
}
