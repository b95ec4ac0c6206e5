import type { ScriptName } from './lua.js';
import type { Argument, Reply } from './replies.js';

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
  /** The way to what has this hash tag. */
  route(tag: string): Route;
  /** Subscribes to a channel with this hash tag for as long as it takes. `heard` is called for it once that is in force, too. */
  subscribe(channel: string, tag: string): void;
  unsubscribe(channel: string): void;
  /** How far the clock by which all nodes go is ahead of this machine's, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Looks at what may have changed. Rejects when a server does not answer. */
  check(): Promise<void>;
  /** Does so, and resolves once a server has answered. Rejects when none does. */
  answers(): Promise<void>;
  /** To be called with each step of cleaning up. Rejects as `answers` does. */
  checkNowAndThen(): Promise<void>;
  /** Waits for the answers that are due, and lets go. */
  close(): Promise<void>;
}
