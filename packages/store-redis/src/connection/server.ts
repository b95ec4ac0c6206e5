import { StoreAwayError, StoreFullDiskError, UnusableStoreError } from '../../../server/dist/store/seam.js';
import { RefusedCommand } from './client.js';
import type { Connection } from './connection.js';
import { lacksRights, rightsSentence } from './troubles.js';

/** The first version with sharded channels, PEXPIRETIME and flags of scripts. */
const FIRST_MAJOR = 7;

/** The one policy under which Redis never deletes mail. */
const POLICY = 'noeviction';

const TIME_ASKED = 3;

/** Purge steps, at least one a second, between looks at a server or cluster: clocks drift, slots move. */
export const STEPS_BETWEEN_LOOKS = 30;

/** Commands that test the rights Mayfly needs: scripts, keys, channels. They write nothing and reach no listener. */
const NEEDED = [
  ['EVAL', 'return 0', '1', 'mayfly:rights'],
  ['SPUBLISH', 'mayfly:rights', ''],
];

export interface ServerOptions {
  /** In the middle of a sentence. */
  readonly name: string;
  readonly isMaster: boolean;
  readonly onDisk?: boolean;
  warn(sentence: string): void;
}

/** Whether the store's server is usable, and its clock, which all nodes follow. */
export class Server {
  readonly #connection: Connection;
  readonly #options: ServerOptions;
  #refusal: UnusableStoreError | null = null;
  #isInspected = false;
  #inspection: Promise<void> | null = null;
  /** An evicting policy that was set after the inspection. */
  #evicting: string | null = null;
  #fullDisk: StoreFullDiskError | null = null;
  #steps = 0;
  #clockOffsetMs = 0;

  constructor(connection: Connection, options: ServerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  get isInspected(): boolean {
    return this.#isInspected;
  }

  /** How far the server's clock is ahead at most: an email may go a moment early, and is never served late. */
  get clockOffsetMs(): number {
    return this.#clockOffsetMs;
  }

  /** Rejects with a sentence while the server is unfit for a store. The first call inspects it. */
  async usable(): Promise<void> {
    if (this.#refusal !== null) throw this.#refusal;
    if (this.#isInspected) return;
    this.#inspection ??= this.#inspect().finally(() => {
      this.#inspection = null;
    });
    await this.#inspection;
  }

  /** Inspects the server anew: after a reconnect it may be another one. Rejects as `usable` does. */
  async inspect(): Promise<void> {
    this.#refusal = null;
    this.#isInspected = false;
    await this.usable();
  }

  async #inspect(): Promise<void> {
    const info = await this.#info();
    const refusal = refusalOf(info, this.#options) ?? (await this.#lackOfRights()) ?? (await this.#lackOfWaiting());
    if (refusal !== null) {
      this.#refusal = new UnusableStoreError(`--store: ${refusal}`);
      throw this.#refusal;
    }
    await this.#look();
    this.#isInspected = true;
  }

  async #lackOfRights(): Promise<string | null> {
    for (const command of NEEDED) {
      const error = await this.#connection.command(...command).then(
        () => null,
        (error: unknown) => error,
      );
      if (error instanceof RefusedCommand && lacksRights(error)) return rightsSentence(this.#options.name, error);
    }
    return null;
  }

  async #lackOfWaiting(): Promise<string | null> {
    if (!this.#options.onDisk) return null;
    const error = await this.#connection.command('WAITAOF', '0', '0', '1').then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof RefusedCommand)) return null;
    const { name } = this.#options;
    if (lacksRights(error)) return rightsSentence(name, error);
    return `${name} cannot report what its replicas have on disk, which --store-replicas-on-disk requires. Use Redis 7.2 or later, or Valkey, or remove that setting.`;
  }

  /** Looks at what may have changed, also whether a refused server is usable again. Rejects when it does not answer. */
  async check(): Promise<void> {
    if (this.#refusal !== null) return this.inspect();
    await this.usable();
    await this.#look();
  }

  /** To be called with each purge step. Rejects as `check` does. */
  async checkNowAndThen(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % STEPS_BETWEEN_LOOKS === 0 || this.#refusal !== null) await this.check();
  }

  /** Throws while the server cannot write its files or may delete accepted mail, as of the last check. */
  mustKeepMail(): void {
    if (this.#fullDisk !== null) throw this.#fullDisk;
    if (this.#evicting === null) return;
    throw new StoreAwayError(`${this.#options.name} has maxmemory-policy ${this.#evicting}`);
  }

  async #look(): Promise<void> {
    const offsets: number[] = [];
    while (offsets.length < TIME_ASKED) offsets.push(await this.#askTime());
    this.#clockOffsetMs = Math.min(...offsets);
    const policy = (await this.#info()).get('maxmemory_policy') ?? '';
    if (policy !== POLICY && this.#evicting === null) {
      this.#options.warn(
        `Redis: ${this.#options.name} now has maxmemory-policy ${policy}, which may delete accepted mail. This node is not ready until the policy is ${POLICY} again.`,
      );
    }
    this.#evicting = policy === POLICY ? null : policy;
    this.#fullDisk = await this.#whyUnwritten();
  }

  async #whyUnwritten(): Promise<StoreFullDiskError | null> {
    try {
      await this.#connection.command('PING');
      return null;
    } catch (error) {
      if (error instanceof StoreFullDiskError) return error;
      throw error;
    }
  }

  /** How far the server's clock is ahead at most: it answered later than it was asked. */
  async #askTime(): Promise<number> {
    const asked = Date.now();
    const [seconds, microseconds] = ((await this.#connection.command('TIME')) as Buffer[]).map(Number) as [
      number,
      number,
    ];
    return Math.ceil(seconds * 1_000 + microseconds / 1_000) - asked;
  }

  async #info(): Promise<ReadonlyMap<string, string>> {
    const text = String(await this.#connection.command('INFO'));
    return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  }
}

function refusalOf(info: ReadonlyMap<string, string>, { name, isMaster }: ServerOptions): string | null {
  const version = info.get('redis_version') ?? '';
  if (Number.parseInt(version, 10) < FIRST_MAJOR) {
    return `${name} runs Redis ${version}. Use Redis ${FIRST_MAJOR}.0 or later, or Valkey.`;
  }
  // In a cluster its nodes name the masters, and a master that became a replica redirects commands.
  if (!isMaster && info.get('cluster_enabled') === '1') {
    return `${name} is a cluster node. List some nodes of the cluster: redis+cluster://HOST:PORT,HOST:PORT.`;
  }
  if (!isMaster && info.get('role') !== 'master')
    return `${name} is a replica, which cannot store mail. Use its master.`;
  const policy = info.get('maxmemory_policy');
  if (policy === POLICY) return null;
  return `${name} has maxmemory-policy ${policy}: when memory is full, it would delete accepted mail. Set it to ${POLICY}.`;
}
