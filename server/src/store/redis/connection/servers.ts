import { LUA, type ScriptName } from '../lua.js';
import { type Argument, RefusedCommand, type Reply } from './client.js';

/** The way to the server that has a slot, whichever that is. What cannot be done in time rejects with a `StoreAwayError`. */
export interface Route {
  /** Sends a command. Those that are sent in one turn of the event loop go together. */
  command(...args: readonly Argument[]): Promise<Reply>;
  /** Runs a script. Redis forgets scripts, as after a failover: then it is sent along. */
  script(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply>;
  /** The same for what must not be lost: it is done once as many replicas have it as the operator asks for. */
  lastingScript(name: ScriptName, keys: readonly string[], args: readonly Argument[]): Promise<Reply>;
}

/** The one server that a store is on, or all masters of its cluster. */
export interface Servers {
  /** The hash tags over which inboxes are spread. */
  readonly tags: readonly string[];
  route(tag: string): Route;
  /** Subscribes to a channel with this hash tag for as long as it takes. `received` is called for it once that is in force, too. */
  subscribe(channel: string, tag: string): void;
  unsubscribe(channel: string): void;
  /** Whether all that was said on a channel before this call has been received, without a gap. False where that is not known in 1 s. */
  isCaughtUp(channel: string): Promise<boolean>;
  readonly clockOffsetMs: number;
  check(): Promise<void>;
  /** Does so, and resolves once a server has answered. Rejects when none does. */
  answers(): Promise<void>;
  /** To be called with each step of purging. Rejects as `answers` does. */
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
