import type { Soon } from '../../soon.js';
import { UnusableStoreError } from '../store.js';
import { RefusedCommand } from './client.js';
import type { Connection } from './connection.js';
import { lacksRights, rightsSentence } from './troubles.js';

/** The first version that has all that the scripts use: sharded channels, PEXPIRETIME, flags of scripts. */
const FIRST_MAJOR = 7;

/** The one policy under which Redis never deletes mail that somebody waits for. */
const POLICY = 'noeviction';

/** How often the time is asked for in one look. */
const TIME_ASKED = 3;

/** Every so many steps of cleaning up, of which there is at least one a second, the server is looked at: clocks drift. */
const STEPS_BETWEEN_LOOKS = 30;

/**
 * Whether these are let through says whether a user has the rights that mail takes: scripts, the keys, the channels. Nothing is written
 * and nobody hears it; in a cluster another master may have the slot.
 */
const NEEDED = [
  ['EVAL', 'return 0', '1', 'mayfly:rights'],
  ['SPUBLISH', 'mayfly:rights', ''],
];

/** What a server is called, and what it is for. */
export interface ServerOptions {
  /** In the middle of a sentence. */
  readonly name: string;
  /** Whether it is to be one master of a cluster, or a server of its own. */
  readonly isMaster: boolean;
  /** Is told what an operator should know though the store goes on. */
  warn(sentence: string): void;
}

/** What is known of the server that a store is on: whether it can be used at all, and its clock, by which all nodes go. */
export class Server {
  readonly #connection: Connection;
  readonly #options: ServerOptions;
  #refusal: UnusableStoreError | null = null;
  #isInspected = false;
  #inspection: Promise<void> | null = null;
  #isWarned = false;
  #steps = 0;
  #clockOffsetMs = 0;

  constructor(connection: Connection, options: ServerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Whether its clock is known. */
  get isInspected(): boolean {
    return this.#isInspected;
  }

  /**
   * How far the server's clock is ahead of this machine's, in milliseconds, as of the last check. It is never less, and more by no
   * more than a command takes to get there: an email may go a moment early, and is never served late.
   */
  get clockOffsetMs(): number {
    return this.#clockOffsetMs;
  }

  /** Throws a sentence, or rejects with it, while the server is none that a store can be on. One is looked at before it is used. */
  usable(): Soon<void> {
    if (this.#refusal !== null) throw this.#refusal;
    if (this.#isInspected) return;
    this.#inspection ??= this.#inspect().finally(() => {
      this.#inspection = null;
    });
    return this.#inspection;
  }

  /** Has the server looked at anew: it has been connected to, and may be another one. Rejects as `usable` does. */
  async inspect(): Promise<void> {
    this.#refusal = null;
    this.#isInspected = false;
    await this.usable();
  }

  async #inspect(): Promise<void> {
    const info = await this.#info();
    const refusal = refusalOf(info, this.#options) ?? (await this.#lackOfRights());
    if (refusal !== null) {
      this.#refusal = new UnusableStoreError(`--store: ${refusal}`);
      throw this.#refusal;
    }
    await this.#look();
    this.#isInspected = true;
  }

  /** Why the user cannot do what mail takes; null where it can, or cannot be asked now. */
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

  /** Looks at what may have changed since. Rejects when the server does not answer. */
  async check(): Promise<void> {
    await this.usable();
    await this.#look();
  }

  /** To be called with each step of cleaning up. Rejects as `check` does. */
  async checkNowAndThen(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % STEPS_BETWEEN_LOOKS === 0) await this.check();
  }

  async #look(): Promise<void> {
    const offsets: number[] = [];
    while (offsets.length < TIME_ASKED) offsets.push(await this.#askTime());
    this.#clockOffsetMs = Math.min(...offsets);
    const policy = (await this.#info()).get('maxmemory_policy');
    if (policy !== POLICY && !this.#isWarned) {
      this.#options.warn(
        `Redis: ${this.#options.name} has maxmemory-policy ${policy} now: it may delete mail that was accepted. Set it back to ${POLICY}.`,
      );
    }
    this.#isWarned = policy !== POLICY;
  }

  /** How far the server's clock is ahead at most: what it says now is later than when it was asked. */
  async #askTime(): Promise<number> {
    const asked = Date.now();
    const [seconds, microseconds] = ((await this.#connection.command('TIME')) as Buffer[]).map(Number) as [
      number,
      number,
    ];
    return Math.ceil(seconds * 1_000 + microseconds / 1_000) - asked;
  }

  /** What the server says of itself, by name. */
  async #info(): Promise<ReadonlyMap<string, string>> {
    const text = String(await this.#connection.command('INFO'));
    return new Map(text.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
  }
}

/** Why a store cannot be on a server, and what to do; null when it can. */
function refusalOf(info: ReadonlyMap<string, string>, { name, isMaster }: ServerOptions): string | null {
  const version = info.get('redis_version') ?? '';
  if (Number.parseInt(version, 10) < FIRST_MAJOR) {
    return `${name} has version ${version} of Redis. Use Redis ${FIRST_MAJOR}.0 or later, or Valkey.`;
  }
  // The nodes of a cluster say where its masters are, and a master that became a replica sends on what comes to it.
  if (!isMaster && info.get('cluster_enabled') === '1') {
    return `${name} is a node of a cluster. Name the cluster by some of its nodes: redis+cluster://HOST:PORT,HOST:PORT.`;
  }
  if (!isMaster && info.get('role') !== 'master') return `${name} is a replica, which takes no mail. Name its master.`;
  const policy = info.get('maxmemory_policy');
  if (policy === POLICY) return null;
  return `${name} has maxmemory-policy ${policy}: when its memory is full it would delete mail that was accepted. Set it to ${POLICY}.`;
}
