import calculateSlot from 'cluster-key-slot';
import type { Cluster } from 'ioredis';
import { StoreAwayError } from '../../server/dist/store/seam.js';
import {
  type Argument,
  CONNECT_MS,
  ConnectionLost,
  explained,
  NotNow,
  NotSent,
  newCluster,
  newLink,
  type Redis,
  type Reply,
} from './client.js';
import { LUA, type ScriptName } from './lua.js';
import { isRefused, type Place, withoutStop } from './place.js';
import { ReplicatedWrites } from './replicated-writes.js';
import { monotonic, pause, repeat, within } from './timers.js';

/** How long a command is repeated that could not be carried out: a connection, or a slot, is usually back by then. */
const PATIENCE_MS = 2_000;
const AGAIN_MS = 50;

/** How often waiting commands and subscriptions ask who has their slot now. */
const LOOK_MS = 500;

/** Commands that may wait for their answers; further ones are refused at once. */
const MAX_WAITING = 20_000;

/** Their bytes at most, beside a single command that has more by itself. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export interface ServersOptions {
  readonly replicas: number;
  readonly onDisk: boolean;
  /** A connection was made or lost: a server may have lost mail. */
  changed(isMade: boolean): void;
}

export interface Running {
  /** Resolves only once as many replicas have it as the operator requires. */
  readonly isLasting?: boolean;
  /** Whether running it twice does no more than once. */
  readonly isRepeatable?: boolean;
}

interface Waiting {
  readonly tag: string;
  readonly owner: string;
  reject(error: Error): void;
}

/** A Redis server, or the masters of a cluster. What cannot be done in time rejects with a `StoreAwayError`. */
export class Servers {
  readonly place: Place;
  readonly #client: Redis | Cluster;
  readonly #cluster: Cluster | null;
  readonly #changed: ServersOptions['changed'];
  readonly #replicated: ReplicatedWrites | null;
  readonly #waiting = new Set<Waiting>();
  readonly #stopLooking: () => void;
  #waitingBytes = 0;
  #trouble: unknown = null;
  #isClosed = false;

  constructor(place: Place, { replicas, onDisk, changed }: ServersOptions) {
    this.place = place;
    this.#changed = changed;
    this.#cluster = place.isCluster ? newCluster(place) : null;
    this.#client = this.#cluster ?? newLink(place, place.nodes[0] as string);
    this.#replicated = replicas > 0 ? new ReplicatedWrites(this, onDisk ? 'disk' : 'memory', replicas) : null;
    this.#client.on('error', (error) => (this.#cluster === null ? this.#note(error) : this.#findReason()));
    if (this.#cluster === null) this.#follow(this.#client as Redis);
    this.#cluster?.on('+node', (node: Redis) => this.#follow(node));
    this.#cluster?.on('node error', this.#note);
    this.#stopLooking = place.isCluster ? repeat(LOOK_MS, () => this.#look()) : () => {};
  }

  readonly #note = (error: unknown) => {
    // The library says so of each node that it cannot connect to, and not why (5.11.1).
    if ((error as Error).message !== 'Connection is closed.') this.#trouble = error;
  };

  #follow(node: Redis): void {
    node.on('ready', () => this.#changed(true));
    node.on('close', () => this.#changed(false));
  }

  /** What a connection failed for last; null if a command was answered since. */
  get trouble(): unknown {
    return this.#trouble;
  }

  /** Rejects, but goes on trying, when no server is there. */
  async open(): Promise<void> {
    const late = () => new StoreAwayError(`no connection within ${CONNECT_MS / 1_000} seconds`);
    try {
      await within(CONNECT_MS, this.#client.connect(), late);
    } catch (error) {
      if (this.#cluster !== null) await this.#findReason();
      throw error;
    }
  }

  /** Why no node of the cluster answers. */
  async #findReason(): Promise<void> {
    const link = this.link(this.place.nodes[0] as string);
    const answered = new Promise((resolve) => link.once('ready', resolve).once('error', resolve));
    await Promise.race([answered, pause(CONNECT_MS)]);
    link.disconnect();
  }

  /** The masters that are known now. */
  masters(): readonly Redis[] {
    return this.#cluster?.nodes('master') ?? [this.#client as Redis];
  }

  slotOf(tag: string): number {
    return this.#cluster === null ? 0 : calculateSlot(tag);
  }

  /** The node (`HOST:PORT`) that has a hash tag; empty if unknown. */
  ownerOf(tag: string): string {
    if (this.#cluster === null) return this.place.nodes[0] as string;
    return this.#cluster.slots[calculateSlot(tag)]?.[0] ?? '';
  }

  /** A connection of its own to a node, which is made at once. */
  link(node: string): Redis {
    const link = newLink(this.place, node);
    link.on('error', this.#note);
    link.connect().catch(() => {});
    return link;
  }

  /** A command whose keys have this hash tag, and that may run twice. */
  command(tag: string, ...args: [string, ...Argument[]]): Promise<Reply> {
    return this.#patiently(tag, true, () => this.#sent(tag, args));
  }

  /** Runs a script; `args` are asked for each time that it is tried. */
  script(
    tag: string,
    name: ScriptName,
    keys: readonly string[],
    args: readonly Argument[] | (() => readonly Argument[]),
    { isLasting = false, isRepeatable = true }: Running = {},
  ): Promise<Reply> {
    const { sha1, text } = LUA[name];
    return this.#patiently(tag, isRepeatable, async () => {
      const rest = [`${keys.length}`, ...keys, ...(typeof args === 'function' ? args() : args)];
      try {
        return await this.#sent(tag, ['EVALSHA', sha1, ...rest], isLasting);
      } catch (error) {
        // Redis forgets scripts, as in a failover.
        if (!(isRefused(error) && error.message.startsWith('NOSCRIPT'))) throw error;
        return this.#sent(tag, ['EVAL', text, ...rest], isLasting);
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopLooking();
    this.#replicated?.forgetBut(new Set());
    this.#client.disconnect();
  }

  async #patiently(tag: string, isRepeatable: boolean, attempt: () => Promise<Reply>): Promise<Reply> {
    const end = monotonic() + PATIENCE_MS;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const why = explained(error, this.#trouble);
        const isAgain =
          why instanceof NotNow || why instanceof NotSent || (isRepeatable && why instanceof ConnectionLost);
        if (!isAgain || this.#isClosed || monotonic() > end) throw refusedAsAway(why);
        // The library follows a redirection of a command that it sent, and remembers it.
        if (this.#cluster !== null && why instanceof NotNow)
          await this.#client.callBuffer('EXISTS', `mayfly:{${tag}}`).catch(() => {});
        await pause(AGAIN_MS);
      }
    }
  }

  async #sent(tag: string, args: readonly [string, ...Argument[]], isLasting = false): Promise<Reply> {
    const bytes = args.reduce((sum, { length }) => sum + length, 0);
    this.#checkRoom(bytes);
    const owner = this.ownerOf(tag);
    const sent =
      isLasting && this.#replicated !== null
        ? this.#replicated.write(owner, args)
        : (this.#client.callBuffer(...args) as Promise<Reply>);
    let waiting: Waiting | undefined;
    const moved = new Promise<never>((_resolve, reject) => {
      waiting = { tag, owner, reject };
      this.#waiting.add(waiting);
    });
    this.#waitingBytes += bytes;
    try {
      const reply = await Promise.race([sent, moved]);
      this.#trouble = null;
      return reply;
    } finally {
      this.#waiting.delete(waiting as Waiting);
      this.#waitingBytes -= bytes;
    }
  }

  #checkRoom(bytes: number): void {
    if (this.#waiting.size >= MAX_WAITING) throw new StoreAwayError(`${MAX_WAITING} commands are waiting for a reply`);
    if (this.#waitingBytes === 0 || this.#waitingBytes + bytes <= MAX_WAITING_BYTES) return;
    throw new StoreAwayError(`commands of ${MAX_WAITING_BYTES / 1024 / 1024} MiB are waiting for a reply`);
  }

  /** A command to a master that hangs need not wait for it once a replica has taken its place. */
  #look(): void {
    for (const { tag, owner, reject } of [...this.#waiting]) {
      if (owner !== '' && this.ownerOf(tag) !== owner) reject(new ConnectionLost('another master has the slot now'));
    }
    this.#replicated?.forgetBut(new Set(this.#cluster?.slots.map((nodes) => nodes?.[0] ?? '')));
  }
}

/** A server that was usable and now rejects us is away until its operator changes that. */
function refusedAsAway(why: unknown): unknown {
  if (!isRefused(why) || why.message.includes('OOM')) return why;
  return new StoreAwayError(withoutStop(why.message), { cause: why });
}
