import {
  StoreAwayError,
  StoreFullDiskError,
  StoreFullError,
  UnusableStoreError,
} from '../../server/dist/store/seam.js';
import { explained, type Redis, type Reply } from './client.js';
import { isRefused, lacksRights, refusalOf, rightsSentence } from './place.js';
import type { Servers } from './servers.js';
import { within } from './timers.js';

/** The first major version with sharded channels, PEXPIRETIME and script flags. */
const FIRST_MAJOR = 7;

/** The only policy with which Redis never evicts mail. */
const POLICY = 'noeviction';

/** Timeout for the check of one server, so that a hung server does not delay the result. */
const CHECK_TIMEOUT_MS = 1_500;

/** Difference between the masters' clocks that triggers a warning: each master deletes mail by its own clock. */
const CLOCKS_APART_MS = 10_000;

/** Commands that test the permissions for scripts, keys and channels. They write nothing and reach no listener. */
const NEEDED: readonly [string, ...string[]][] = [
  ['EVAL', 'return 0', '1', 'mayfly:rights'],
  ['SPUBLISH', 'mayfly:rights', ''],
];

const WAITAOF: readonly [string, ...string[]] = ['WAITAOF', '0', '0', '1'];

/** State of a server at the last check. */
interface State {
  readonly name: string;
  readonly clockOffsetMs: number;
  readonly usedBytes: number;
  readonly isBounded: boolean;
  /** Why the server cannot accept mail; null if it can. */
  readonly trouble: StoreFullDiskError | StoreFullError | StoreAwayError | null;
}

/** Tracks whether the servers are usable, how full they are, and their time, which all nodes use. */
export class Health {
  readonly #servers: Servers;
  readonly #onDisk: boolean;
  readonly #warn: (sentence: string) => void;
  #states: ReadonlyMap<string, State> = new Map();
  #refusal: UnusableStoreError | null = null;
  #clockOffsetMs = 0;
  #areClocksApart = false;

  constructor(servers: Servers, onDisk: boolean, warn: (sentence: string) => void) {
    this.#servers = servers;
    this.#onDisk = onDisk;
    this.#warn = warn;
  }

  /** The server's time minus this node's. An upper bound: an email may expire a moment early, but never late. */
  get clockOffsetMs(): number {
    return this.#clockOffsetMs;
  }

  now(): number {
    return Date.now() + this.#clockOffsetMs;
  }

  mustBeUsable(): void {
    if (this.#refusal !== null) throw new StoreAwayError(this.#refusal.message, { cause: this.#refusal });
  }

  /** Rejects if a server is unfit for a store. Call it after each reconnect, because another server may answer then. */
  async inspect(): Promise<readonly State[]> {
    try {
      await Promise.all(this.#servers.masters().map((redis) => this.#inspect(redis)));
      this.#refusal = null;
    } catch (error) {
      this.#refusal = refusalOf(error, this.#servers.trouble, this.#servers.place);
      throw this.#refusal ?? error;
    }
    return this.#update();
  }

  /** Resolves to the states of the masters that answer, or rejects if none does. Inspects again if one was unfit. */
  check(): Promise<readonly State[]> {
    return this.#refusal === null ? this.#update() : this.inspect();
  }

  async #update(): Promise<readonly State[]> {
    const masters = this.#servers.masters();
    if (masters.length === 0) throw new StoreAwayError(String(this.#servers.trouble ?? 'there is no master'));
    const late = () => new StoreAwayError('no reply in time');
    const results = await Promise.allSettled(
      masters.map((redis) => within(CHECK_TIMEOUT_MS, this.#stateOf(redis), late)),
    );
    const states = new Map<string, State>();
    for (const [i, result] of results.entries()) {
      if (result.status === 'fulfilled') states.set(nodeOf(masters[i] as Redis), result.value);
    }
    const [failed] = results;
    if (states.size === 0 && failed?.status === 'rejected') throw failed.reason;
    this.#states = states;
    this.#compareClocks();
    return [...states.values()];
  }

  /** Rejects if no server answers, or if a server is full, may evict mail or cannot write its files. */
  async ping(tags: readonly string[]): Promise<void> {
    const states = await this.check();
    // A master cut off from the other masters may answer PING but refuse reads, so this also reads.
    const byOwner = new Map(tags.map((tag) => [this.#servers.ownerOf(tag), tag]));
    const reads = [...byOwner.values()].map((tag) => this.#servers.command(tag, 'EXISTS', `mayfly:{${tag}}`));
    await Promise.any(reads).catch((error: AggregateError) => {
      throw error.errors[0];
    });
    for (const { trouble } of states) if (trouble !== null) throw trouble;
  }

  /** Warns about servers without `maxmemory`. Call it once, after `inspect`. */
  warnIfUnbounded(): void {
    for (const { name, isBounded } of this.#states.values()) {
      if (isBounded) continue;
      this.#warn(
        `Redis: ${name} has no maxmemory, so mail may fill the machine's memory, and the system may then kill the server. Set maxmemory below the machine's memory, for example with CONFIG SET maxmemory 2gb, and also in the server's configuration file.`,
      );
    }
  }

  async memory(): Promise<{ readonly bytes: number; readonly isFull: boolean }> {
    const states = await this.check();
    const bytes = states.reduce((sum, { usedBytes }) => sum + usedBytes, 0);
    return { bytes, isFull: states.some(({ trouble }) => trouble instanceof StoreFullError) };
  }

  async #inspect(redis: Redis): Promise<void> {
    const name = this.#nameOf(redis);
    // Fails if the configured database does not exist. ioredis 5.11.1 would silently use database 0.
    if (redis.options.db) await this.#ask(redis, ['SELECT', `${redis.options.db}`]);
    const info = await this.#info(redis);
    const refusal = unfitness(info, name, this.#servers.place.isCluster) ?? (await this.#lacking(redis, name));
    if (refusal !== null) throw new UnusableStoreError(`--store: ${refusal}`);
  }

  /** A sentence about a missing permission or command, or null. */
  async #lacking(redis: Redis, name: string): Promise<string | null> {
    for (const command of this.#onDisk ? [...NEEDED, WAITAOF] : NEEDED) {
      const error = await failureOf(redis, command);
      if (!isRefused(error)) continue;
      if (lacksRights(error)) return rightsSentence(name, error);
      if (command !== WAITAOF) continue;
      return `${name} cannot report what its replicas have on disk, which --store-replicas-on-disk requires. Use Redis 7.2 or later, or Valkey, or remove that setting.`;
    }
    return null;
  }

  async #stateOf(redis: Redis): Promise<State> {
    const [name, node] = [this.#nameOf(redis), nodeOf(redis)];
    // This node reads its clock before it sends the request, so the offset is an upper bound.
    const asked = Date.now();
    const [seconds = 0, microseconds = 0] = ((await this.#ask(redis, ['TIME'])) as Buffer[]).map(Number);
    const clockOffsetMs = Math.ceil(seconds * 1_000 + microseconds / 1_000) - asked;
    const info = await this.#info(redis);
    const [usedBytes, most, policy] = [memoryOf(info), Number(info.get('maxmemory')), info.get('maxmemory_policy')];
    const evicting = policy === POLICY ? null : new StoreAwayError(`${name} has maxmemory-policy ${policy}`);
    if (evicting !== null && !(this.#states.get(node)?.trouble instanceof StoreAwayError)) {
      this.#warn(
        `Redis: ${name} now has maxmemory-policy ${policy}, which may delete accepted mail. This node is not ready until the policy is ${POLICY} again.`,
      );
    }
    const unwritten = await this.#ask(redis, ['PING']).then(() => null, onlyFullDisk);
    const full = most > 0 && usedBytes >= most ? new StoreFullError(name) : null;
    return { name, clockOffsetMs, usedBytes, isBounded: most > 0, trouble: evicting ?? unwritten ?? full };
  }

  async #info(redis: Redis): Promise<ReadonlyMap<string, string>> {
    const text = String(await this.#ask(redis, ['INFO']));
    return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  }

  async #ask(redis: Redis, command: readonly [string, ...string[]]): Promise<Reply> {
    try {
      return (await redis.callBuffer(...command)) as Reply;
    } catch (error) {
      throw explained(error, this.#servers.trouble);
    }
  }

  #compareClocks(): void {
    const offsets = [...this.#states.values()].map(({ clockOffsetMs }) => clockOffsetMs);
    // In a cluster, all nodes follow the clock of the master that owns the tag `clock`.
    this.#clockOffsetMs = this.#states.get(this.#servers.ownerOf('clock'))?.clockOffsetMs ?? (offsets[0] as number);
    const areApart = Math.max(...offsets) - Math.min(...offsets) > CLOCKS_APART_MS;
    if (areApart && !this.#areClocksApart) {
      this.#warn(
        'The clocks of the Redis cluster masters differ by more than ten seconds. If they differ by a minute, mail is lost. Synchronize them, for example with NTP.',
      );
    }
    this.#areClocksApart = areApart;
  }

  #nameOf(redis: Redis): string {
    return this.#servers.place.isCluster ? `the master ${nodeOf(redis)}` : 'the server';
  }
}

function nodeOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`;
}

function onlyFullDisk(error: unknown): StoreFullDiskError {
  if (error instanceof StoreFullDiskError) return error;
  throw error;
}

/** Resolves to the error of a command, or null. */
function failureOf(redis: Redis, command: readonly [string, ...string[]]): Promise<unknown> {
  return redis.callBuffer(...command).then(
    () => null,
    (error: unknown) => error,
  );
}

/** The memory that Redis compares with `maxmemory`. */
function memoryOf(info: ReadonlyMap<string, string>): number {
  return Number(info.get('used_memory')) - Number(info.get('mem_not_counted_for_evict') ?? 0);
}

function unfitness(info: ReadonlyMap<string, string>, name: string, isMaster: boolean): string | null {
  const version = info.get('redis_version') ?? '';
  if (Number.parseInt(version, 10) < FIRST_MAJOR) {
    return `${name} runs Redis ${version}. Use Redis ${FIRST_MAJOR}.0 or later, or Valkey.`;
  }
  // Skips the masters of a configured cluster: one that has become a replica redirects commands to its master.
  if (!isMaster && info.get('cluster_enabled') === '1') {
    return `${name} is a cluster node. List some nodes of the cluster: redis+cluster://HOST:PORT,HOST:PORT.`;
  }
  if (!isMaster && info.get('role') !== 'master') {
    return `${name} is a replica, which cannot store mail. Use its master.`;
  }
  const policy = info.get('maxmemory_policy');
  if (policy === POLICY) return null;
  return `${name} has maxmemory-policy ${policy}, with which Redis deletes accepted mail when memory is full. Set it to ${POLICY}: CONFIG SET maxmemory-policy ${POLICY}, and the same in the server's configuration file.`;
}
