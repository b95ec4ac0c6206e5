import { withAnswer } from '../../soon.js';
import type { Connection } from './connection.js';
import type { ScriptName } from './lua.js';
import type { Argument, Reply } from './replies.js';
import { evaluated } from './scripts.js';
import type { Server } from './server.js';
import type { Route, Servers } from './servers.js';

/** All keys of a server of its own have the same tag. */
const TAG = '0';

/** A server of its own. */
export class OneServer implements Servers, Route {
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

  async command(...args: readonly Argument[]): Promise<Reply> {
    return withAnswer(this.#server.usable(), () => this.#connection.command(...args));
  }

  script(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    return evaluated((...command) => this.command(...command), name, keys, args);
  }

  async lastingScript(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const lasting = (...command: readonly Argument[]) => this.#connection.lasting(...command);
    return withAnswer(this.#server.usable(), () => evaluated(lasting, name, keys, args));
  }

  subscribe(channel: string, tag: string): void {
    this.#connection.subscribe(channel, tag);
  }

  unsubscribe(channel: string): void {
    this.#connection.unsubscribe(channel);
  }

  get clockOffsetMs(): number {
    return this.#server.clockOffsetMs;
  }

  check(): Promise<void> {
    return this.#server.check();
  }

  answers(): Promise<void> {
    return this.check();
  }

  checkNowAndThen(): Promise<void> {
    return this.#server.checkNowAndThen();
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
