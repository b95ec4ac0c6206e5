import type { Connection } from './connection.js';
import { pause } from './timers.js';
import { slotOf } from './topology.js';

/** Pause before a server that rejected a channel is asked again. */
const AWAY_MS = 100;

export interface ChannelOwner {
  readonly connection: Pick<Connection, 'subscribe' | 'unsubscribe' | 'isCaughtUp'>;
}

interface Channel {
  readonly tag: string;
  readonly slot: number;
  owner: ChannelOwner | undefined;
}

/** The subscriptions in a cluster, each at the master that has the channel's slot. */
export class ClusterChannels {
  readonly #ownerOf: (slot: number) => ChannelOwner | undefined;
  readonly #look: () => Promise<void>;
  readonly #channels = new Map<string, Channel>();

  constructor(ownerOf: (slot: number) => ChannelOwner | undefined, look: () => Promise<void>) {
    this.#ownerOf = ownerOf;
    this.#look = look;
  }

  subscribe(channel: string, tag: string): void {
    const slot = slotOf(tag);
    const owner = this.#ownerOf(slot);
    this.#channels.set(channel, { tag, slot, owner });
    owner?.connection.subscribe(channel, tag);
  }

  unsubscribe(channel: string): void {
    this.#channels.get(channel)?.owner?.connection.unsubscribe(channel);
    this.#channels.delete(channel);
  }

  /** Does what `Servers.isCaughtUp` says. After a slot has moved, nothing is known until its channel has followed. */
  async isCaughtUp(channel: string): Promise<boolean> {
    const one = this.#channels.get(channel);
    if (one?.owner === undefined || one.owner !== this.#ownerOf(one.slot)) return false;
    return one.owner.connection.isCaughtUp(channel);
  }

  follow(): void {
    for (const [channel, one] of this.#channels) {
      const owner = this.#ownerOf(one.slot);
      if (owner === one.owner) continue;
      one.owner?.connection.unsubscribe(channel);
      one.owner = owner;
      owner?.connection.subscribe(channel, one.tag);
    }
  }

  /** Subscribes again to channels that a server rejected. Rejects if the cluster cannot be asked. */
  async bringBack(channels: readonly string[]): Promise<void> {
    const owners = channels.map((channel) => this.#channels.get(channel)?.owner);
    await pause(AWAY_MS);
    await this.#look();
    for (const [i, channel] of channels.entries()) {
      const one = this.#channels.get(channel);
      // A channel that moved to another master is subscribed there by now.
      if (one?.owner !== undefined && one.owner === owners[i]) one.owner.connection.subscribe(channel, one.tag);
    }
  }
}
