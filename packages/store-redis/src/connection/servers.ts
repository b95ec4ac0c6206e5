import { LUA, type ScriptName } from '../lua.js';
import { type Argument, RefusedCommand, type Reply } from './client.js';
import type { Connection } from './connection.js';
import type { Server } from './server.js';
import { asAway } from './troubles.js';

/** The way to the server that has a slot. A request that cannot be done in time rejects with a `StoreAwayError`. */
export interface Route {
  /** Sends a command. Commands of one turn of the event loop go together. */
  command(...args: readonly Argument[]): Promise<Reply>;
  /** Runs a script, and sends its text when Redis has forgotten it, as after a failover. */
  script(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply>;
  /** The same for what must not be lost: resolves once as many replicas have it as the operator requires. */
  lastingScript(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply>;
}

export interface Servers {
  /** The hash tags that inboxes are spread over. */
  readonly tags: readonly string[];
  route(tag: string): Route;
  /** Subscribes to a channel with this hash tag. `received` is also called once the subscription is in force. */
  subscribe(channel: string, tag: string): void;
  unsubscribe(channel: string): void;
  /** Whether all that was published before this call was received without a gap. False if unknown within 1 s. */
  isCaughtUp(channel: string): Promise<boolean>;
  readonly clockOffsetMs: number;
  check(): Promise<void>;
  /** Resolves once a server has passed the check. Rejects when none does. */
  answers(): Promise<void>;
  /** To be called with each purge step. Rejects as `answers` does. */
  checkNowAndThen(): Promise<void>;
  close(): Promise<void>;
}

export async function evaluated(
  send: (...args: readonly Argument[]) => Promise<Reply>,
  name: ScriptName,
  keys: readonly string[],
  args: readonly Argument[],
): Promise<Reply> {
  const { sha1, text } = LUA[name];
  const rest = [`${keys.length}`, ...keys, ...args];
  try {
    return await send('EVALSHA', sha1, ...rest);
  } catch (error) {
    if (!(error instanceof RefusedCommand && error.message.startsWith('NOSCRIPT'))) throw error;
    return send('EVAL', text, ...rest);
  }
}

/** All keys of a standalone server have the same tag. */
const TAG = '0';

export class Standalone implements Servers, Route {
  readonly tags = [TAG];
  readonly #connection: Connection;
  readonly #server: Server;

  constructor(connection: Connection, server: Server) {
    this.#connection = connection;
    this.#server = server;
  }

  route(): Route {
    return this;
  }

  command(...args: readonly Argument[]): Promise<Reply> {
    return this.#whenUsable(() => this.#connection.command(...args));
  }

  script(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return evaluated((...command) => this.command(...command), name, keys, args);
  }

  lastingScript(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const lasting = (...command: readonly Argument[]) => this.#connection.lasting(...command);
    return this.#whenUsable(() => evaluated(lasting, name, keys, args));
  }

  subscribe(channel: string, tag: string): void {
    this.#connection.subscribe(channel, tag);
  }

  unsubscribe(channel: string): void {
    this.#connection.unsubscribe(channel);
  }

  isCaughtUp(channel: string): Promise<boolean> {
    return this.#connection.isCaughtUp(channel);
  }

  get clockOffsetMs(): number {
    return this.#server.clockOffsetMs;
  }

  check(): Promise<void> {
    return this.#server.check();
  }

  async answers(): Promise<void> {
    await this.check();
    this.#server.mustKeepMail();
  }

  checkNowAndThen(): Promise<void> {
    return this.#server.checkNowAndThen();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #whenUsable(ask: () => Promise<Reply>): Promise<Reply> {
    try {
      await this.#server.usable();
      return await ask();
    } catch (error) {
      throw asAway(error);
    }
  }
}
