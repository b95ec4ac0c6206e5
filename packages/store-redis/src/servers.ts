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

/** How long commands are retried; a lost connection or a moving slot usually recovers sooner. */
const PATIENCE_MS = 2_000;
const RETRY_MS = 50;

/** How often to check whether the slots of pending commands have moved. */
const CHECK_SLOTS_MS = 500;

/** Maximum number of commands without a reply. Further commands are refused. */
const MAX_PENDING = 20_000;

/** Maximum number of bytes of pending commands. A single larger command may exceed it. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

export interface ServersOptions {
  readonly replicas: number;
  readonly onDisk: boolean;
  /** Called when a connection is made or lost, because a server may then have lost mail. */
  changed(isMade: boolean): void;
}

export interface Running {
  /** Whether to resolve only after the required number of replicas have the write. */
  readonly isLasting?: boolean;
  /** Whether running the script twice has the same effect as once. */
  readonly isRepeatable?: boolean;
}

interface Pending {
  readonly tag: string;
  readonly owner: string;
  reject(error: Error): void;
}

/** A Redis server, or the masters of a cluster. Commands that fail for too long reject with a `StoreAwayError`. */
export class Servers {
  readonly place: Place;
  readonly #client: Redis | Cluster;
  readonly #cluster: Cluster | null;
  readonly #changed: ServersOptions['changed'];
  readonly #replicated: ReplicatedWrites | null;
  readonly #pending = new Set<Pending>();
  readonly #stopChecking: () => void;
  #pendingBytes = 0;
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
    this.#stopChecking = place.isCluster ? repeat(CHECK_SLOTS_MS, () => this.#checkSlots()) : () => {};
  }

  readonly #note = (error: unknown) => {
    // ioredis 5.11.1 also reports this message for each unreachable node. It names no cause, so it is ignored.
    if ((error as Error).message !== 'Connection is closed.') this.#trouble = error;
  };

  #follow(node: Redis): void {
    node.on('ready', () => this.#changed(true));
    node.on('close', () => this.#changed(false));
  }

  /** The last connection error; null once a command has succeeded since. */
  get trouble(): unknown {
    return this.#trouble;
  }

  /** Rejects if no server answers, but keeps trying to connect. */
  async open(): Promise<void> {
    const late = () => new StoreAwayError(`no connection within ${CONNECT_MS / 1_000} seconds`);
    try {
      await within(CONNECT_MS, this.#client.connect(), late);
    } catch (error) {
      if (this.#cluster !== null) await this.#findReason();
      throw error;
    }
  }

  /** Finds out why no node of the cluster answers, because the library does not report it. */
  async #findReason(): Promise<void> {
    const link = this.link(this.place.nodes[0] as string);
    const answered = new Promise((resolve) => link.once('ready', resolve).once('error', resolve));
    await Promise.race([answered, pause(CONNECT_MS)]);
    link.disconnect();
  }

  masters(): readonly Redis[] {
    return this.#cluster?.nodes('master') ?? [this.#client as Redis];
  }

  slotOf(tag: string): number {
    return this.#cluster === null ? 0 : calculateSlot(tag);
  }

  /** The node (`HOST:PORT`) that owns the slot of a hash tag; empty if unknown. */
  ownerOf(tag: string): string {
    if (this.#cluster === null) return this.place.nodes[0] as string;
    return this.#cluster.slots[calculateSlot(tag)]?.[0] ?? '';
  }

  /** Opens a separate connection to a node. */
  link(node: string): Redis {
    const link = newLink(this.place, node);
    link.on('error', this.#note);
    link.connect().catch(() => {});
    return link;
  }

  /** Sends a command that may run twice. `tag` is the hash tag of its keys. */
  command(tag: string, ...args: [string, ...Argument[]]): Promise<Reply> {
    return this.#patiently(tag, true, () => this.#sent(tag, args));
  }

  /** Runs a script. If `args` is a function, each attempt calls it. */
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
        // Redis loses its scripts in a restart or a failover, so this sends the script again.
        if (!(isRefused(error) && error.message.startsWith('NOSCRIPT'))) throw error;
        return this.#sent(tag, ['EVAL', text, ...rest], isLasting);
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#stopChecking();
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
        const mayRetry =
          why instanceof NotNow || why instanceof NotSent || (isRepeatable && why instanceof ConnectionLost);
        if (!mayRetry || this.#isClosed || monotonic() > end) throw refusedAsAway(why);
        // Sends any command, so that the library follows the redirection and remembers the slot's new owner.
        if (this.#cluster !== null && why instanceof NotNow)
          await this.#client.callBuffer('EXISTS', `mayfly:{${tag}}`).catch(() => {});
        await pause(RETRY_MS);
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
    let pending: Pending | undefined;
    const moved = new Promise<never>((_resolve, reject) => {
      pending = { tag, owner, reject };
      this.#pending.add(pending);
    });
    this.#pendingBytes += bytes;
    try {
      const reply = await Promise.race([sent, moved]);
      this.#trouble = null;
      return reply;
    } finally {
      this.#pending.delete(pending as Pending);
      this.#pendingBytes -= bytes;
    }
  }

  #checkRoom(bytes: number): void {
    if (this.#pending.size >= MAX_PENDING) throw new StoreAwayError(`${MAX_PENDING} commands are waiting for a reply`);
    if (this.#pendingBytes === 0 || this.#pendingBytes + bytes <= MAX_PENDING_BYTES) return;
    throw new StoreAwayError(`${MAX_PENDING_BYTES / 1024 / 1024} MiB of commands are waiting for a reply`);
  }

  /** Fails the commands sent to a hung master once a replica has taken its place. */
  #checkSlots(): void {
    for (const { tag, owner, reject } of [...this.#pending]) {
      if (owner !== '' && this.ownerOf(tag) !== owner) reject(new ConnectionLost('another master has the slot now'));
    }
    this.#replicated?.forgetBut(new Set(this.#cluster?.slots.map((nodes) => nodes?.[0] ?? '')));
  }
}

/** If a server that was usable rejects a command, the store counts as away until the operator fixes the server. */
function refusedAsAway(why: unknown): unknown {
  if (!isRefused(why) || why.message.includes('OOM')) return why;
  return new StoreAwayError(withoutStop(why.message), { cause: why });
}
