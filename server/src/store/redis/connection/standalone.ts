import { withAnswer } from '../../../base/maybe-promise.js';
import type { ScriptName } from '../lua.js';
import type { Argument, Reply } from './client.js';
import type { Connection } from './connection.js';
import type { Server } from './server.js';
import { evaluated, type Route, type Servers } from './servers.js';
import { asAway } from './troubles.js';

/** All keys of a server of its own have the same tag. */
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
      return await withAnswer(this.#server.usable(), ask);
    } catch (error) {
      throw asAway(error);
    }
  }
}
