import { StoreAwayError } from '../../../server/dist/store/seam.js';
import { Keys } from '../mail/rows.js';
import { type Argument, NotNow, NotSent, type Reply } from './client.js';
import { ClusterChannels } from './cluster-channels.js';
import type { Connection } from './connection.js';
import { type Server, STEPS_BETWEEN_LOOKS } from './server.js';
import { evaluated, type Route, type Servers } from './servers.js';
import { noticingDelay, pause } from './timers.js';
import {
  askForTopology,
  isRedirection,
  outOfPatience,
  redirection,
  shardTags,
  slotOf,
  type Topology,
} from './topology.js';
import { asAway } from './troubles.js';

/** How often a command follows the cluster's redirections, and its pause where it was told to try again. */
const REDIRECTIONS = 20;
const NOT_NOW_MS = 100;

/** Time without an answer after which the cluster is asked whether a master was replaced. */
const SLOW_MS = 2_000;

const LOOKS = { first: 100, longest: 1_000 };

/** Difference between the masters' clocks that operators are warned of: Redis deletes by itself after ten minutes. */
const CLOCKS_APART_MS = 60_000;

export interface MasterListener {
  lost(): void;
  moved(channels: readonly string[]): void;
}

export interface Master {
  readonly connection: Connection;
  readonly server: Server;
}

export interface ClusterOptions {
  /** Some of its nodes, as `HOST:PORT`: one that answers is enough. */
  readonly nodes: readonly string[];
  urlOf(node: string): string;
  master(node: string, listener: MasterListener): Master;
  warn(sentence: string): void;
}

type MasterOf = Master & { readonly node: string };

/** The masters of a cluster. A command follows MOVED and ASK (cluster specification, "Redirection"). */
export class Cluster implements Servers {
  readonly tags = shardTags();
  readonly #options: ClusterOptions;
  readonly #masters = new Map<string, MasterOf>();
  #owners: (MasterOf | undefined)[] = [];
  #nodes: readonly string[] = [];
  readonly #channels = new ClusterChannels(
    (slot) => this.#owners[slot],
    () => this.#look(),
  );
  #looking: Promise<void> | null = null;
  #trouble: unknown = null;
  #isFollowing = false;
  #isClosed = false;
  #steps = 0;
  #clockOffsetMs = 0;
  #areClocksApart = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
  }

  get trouble(): unknown {
    return this.#trouble;
  }

  /** Connects to all masters. Rejects, but goes on trying, when no node answers or a master is unusable or away. */
  async open(): Promise<void> {
    try {
      await this.#look();
      await this.check();
    } catch (error) {
      this.#follow();
      throw error;
    }
  }

  route(tag: string): Route {
    const slot = slotOf(tag);
    const command = (...args: readonly Argument[]) => this.#send(slot, args, 'command');
    const lasting = (...args: readonly Argument[]) => this.#send(slot, args, 'lasting');
    return {
      command,
      script: (name, keys, args) => evaluated(command, name, keys, args),
      lastingScript: (name, keys, args) => evaluated(lasting, name, keys, args),
    };
  }

  subscribe(channel: string, tag: string): void {
    this.#channels.subscribe(channel, tag);
  }

  unsubscribe(channel: string): void {
    this.#channels.unsubscribe(channel);
  }

  isCaughtUp(channel: string): Promise<boolean> {
    return this.#channels.isCaughtUp(channel);
  }

  /** That of the first shard's master: one must count for all. If that shard moves, its new master counts. */
  get clockOffsetMs(): number {
    const server = this.#owners[slotOf(this.tags[0] as string)]?.server;
    if (server?.isInspected) this.#clockOffsetMs = server.clockOffsetMs;
    return this.#clockOffsetMs;
  }

  /** Rejects also while one of our slots has no master: some inboxes could take no mail. */
  async check(): Promise<void> {
    for (const tag of this.tags) this.#owner(slotOf(tag));
    const masters = [...this.#masters.values()];
    await Promise.all(masters.map(({ server }) => server.check()));
    const offsets = masters.map(({ server }) => server.clockOffsetMs);
    const areApart = Math.max(...offsets) - Math.min(...offsets) > CLOCKS_APART_MS;
    if (areApart && !this.#areClocksApart) {
      this.#options.warn(
        'The clocks of the Redis cluster masters differ by more than a minute; at ten minutes, mail is lost. Synchronize them, for example with NTP.',
      );
    }
    this.#areClocksApart = areApart;
  }

  async answers(): Promise<void> {
    await this.#someAnswers();
    // What one master may delete is accepted mail, whatever the others hold.
    for (const { server } of this.#masters.values()) server.mustKeepMail();
  }

  /** Also reads: a master that cannot reach the others may refuse to. */
  async #someAnswers(): Promise<void> {
    const tags = new Map(this.tags.map((tag) => [this.#owners[slotOf(tag)], tag]));
    const answers = [...tags].map(async ([owner, tag]) => {
      await owner?.server.check();
      await this.route(tag).command('EXISTS', new Keys(tag).expiryIndex);
    });
    await Promise.any(answers).catch((error: AggregateError) => {
      throw error.errors[0];
    });
  }

  async checkNowAndThen(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % STEPS_BETWEEN_LOOKS !== 0) return;
    await this.#look();
    // While one master is away, the others' mail is still purged.
    await this.check().catch(() => this.#someAnswers());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#masters.values()].map(({ connection }) => connection.close()));
  }

  async #send(slot: number, args: readonly Argument[], way: 'command' | 'lasting'): Promise<Reply> {
    let asked: string | undefined;
    for (let times = 1; ; times += 1) {
      let owner: MasterOf | undefined;
      try {
        if (asked !== undefined) return await this.#master(asked).connection.asking(...args);
        owner = this.#owner(slot);
        await owner.server.usable();
        return await noticingDelay(SLOW_MS, owner.connection[way](...args), () => this.#look().catch(() => {}));
      } catch (error) {
        if (times === REDIRECTIONS || this.#isClosed) throw outOfPatience(error);
        const from = asked ?? owner?.node ?? '';
        const moved = redirection('MOVED', error, from);
        asked = way === 'command' ? redirection('ASK', error, from) : undefined;
        if (moved !== undefined) this.#moveSlot(slot, moved);
        else if (asked === undefined && !(await this.#isWorthAnother(error, slot, owner))) throw asAway(error);
      }
    }
  }

  #moveSlot(slot: number, node: string): void {
    this.#owners[slot] = this.#master(node);
    this.#look().catch(() => {});
  }

  /** Does what an error asks for before a retry; resolves to whether a retry may help. */
  async #isWorthAnother(error: unknown, slot: number, owner: MasterOf | undefined): Promise<boolean> {
    // A moving slot arrives soon. Writes wait for it, as one script's keys may be in two places now.
    if (error instanceof NotNow || isRedirection(error)) {
      this.#follow();
      await pause(NOT_NOW_MS);
      return true;
    }
    if (!(error instanceof StoreAwayError)) return false;
    this.#follow();
    if (!(error instanceof NotSent) && owner !== undefined) return false;
    await this.#look().catch(() => {});
    return this.#owners[slot] !== owner;
  }

  #owner(slot: number): MasterOf {
    const owner = this.#owners[slot];
    if (owner !== undefined) return owner;
    throw new StoreAwayError(this.#trouble === null ? `no master serves slot ${slot}` : String(this.#trouble));
  }

  #master(node: string): MasterOf {
    const known = this.#masters.get(node);
    if (known !== undefined) return known;
    if (this.#isClosed) throw new StoreAwayError('the store is closed');
    const listener: MasterListener = {
      lost: () => this.#follow(),
      moved: (channels) => this.#channels.bringBack(channels).catch(() => {}),
    };
    const master = { ...this.#options.master(node, listener), node };
    this.#masters.set(node, master);
    // It goes on trying; each command reports its trouble.
    master.connection.open().catch(() => {});
    return master;
  }

  #look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #ask(): Promise<void> {
    const ready = [...this.#masters.values()].filter(({ connection }) => connection.isReady).map(({ node }) => node);
    const nodes = new Set([...ready, ...this.#nodes, ...this.#options.nodes]);
    try {
      this.#apply(await askForTopology([...nodes], this.#options.urlOf));
      this.#trouble = null;
    } catch (error) {
      this.#trouble = error;
      throw error;
    }
  }

  #apply({ ranges, nodes }: Topology): void {
    if (this.#isClosed) return;
    const owners: (MasterOf | undefined)[] = [];
    for (const { from, to, master } of ranges)
      for (let slot = from; slot <= to; slot += 1) owners[slot] = this.#master(master);
    this.#owners = owners;
    this.#nodes = nodes;
    const used = new Set(owners);
    this.#channels.follow();
    for (const master of [...this.#masters.values()]) {
      if (used.has(master)) continue;
      this.#masters.delete(master.node);
      // Commands without an answer are repeated where possible, under the same name.
      master.connection.drop();
    }
  }

  /** Looks again and again until every master is there: another may have replaced one. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const isWhole = () =>
      this.#owners.length > 0 && [...this.#masters.values()].every(({ connection }) => connection.isReady);
    for (let ms = LOOKS.first; !this.#isClosed; ms = Math.min(2 * ms, LOOKS.longest)) {
      await pause(ms);
      await this.#look().catch(() => {});
      if (isWhole()) break;
    }
    this.#isFollowing = false;
  }
}
