import { fileURLToPath } from 'node:url';
import type { Email } from 'mayfly-protocol';
import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { HttpError, SmtpError } from '../errors.js';
import type { AddedLimit } from '../http/access/access.js';
import type { App } from '../http/framework.js';
import type { PluginRoutes, RouteGuard } from '../http/parts.js';
import type { OptionalPart } from '../http/request/known-paths.js';
import type { HeldMail, Inboxes, MailSlot, PluginWork } from '../inbox/inboxes.js';
import type { Records } from '../inbox/records.js';
import type { ToParse } from '../inbox/threads/parser-pool.js';
import type { Limiter, WindowCounter } from '../limits/rate-limiter.js';
import type { Setting, Settings, ValuesOf } from '../settings/table.js';

/** The version of the plugin interface. It changes when plugins for one version would not work with the other. */
export const PLUGIN_API = 1;

/** Marks values of `definePlugin`, including those of another copy of this package. */
const MARK = Symbol.for('mayfly-inbox/plugin');

/** The location of this module: the bundle, or the folder of all sources. */
const OWN_CODE = new URL('..', import.meta.url).href;

export type SettingsTable = Readonly<Record<string, Setting>>;

/** The values of a plugin's settings and of the service's own. */
export type PluginSettings<Table extends SettingsTable> = Settings & ValuesOf<Table>;

/** An error over HTTP. `where` describes the affected requests in docs/errors.md. */
interface PluginHttpError extends HttpError {
  readonly where: string;
}

/** A limit on how often a client may use the routes whose `config.limit` names this limit. */
export interface PluginLimit extends Pick<AddedLimit, 'setting' | 'text'>, Partial<Pick<AddedLimit, 'takesBasic'>> {
  /** The limited requests, for docs/errors.md. */
  readonly where: string;
}

/** Computes bytes from a message's bytes, in a parser thread. `details` are further arguments. */
export type PluginTask = (bytes: Uint8Array, details: never) => PluginResult | Promise<PluginResult>;

export type PluginResult = readonly [found: Uint8Array, ...more: Uint8Array[]];

export type PluginTasks = Readonly<Record<string, PluginTask>>;

/** By provider, environment variables for an application. `{origin}` and `{host}` stand for the service's address. */
export type Sending = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface PluginDefinition<Table extends SettingsTable = SettingsTable> {
  /** Lower case, with hyphens. */
  readonly name: string;
  readonly settings?: Table;
  readonly errors?: {
    readonly http?: Readonly<Record<string, PluginHttpError>>;
    readonly smtp?: Readonly<Record<string, SmtpError>>;
  };
  readonly limits?: Readonly<Record<string, PluginLimit>>;
  /** Paths that are served only with an option. Without the option, the 404 names the option. */
  readonly optionalParts?: readonly OptionalPart[];
  /** A sentence about settings that contradict each other; null if all is well. */
  check?(settings: PluginSettings<Table>, label: (name: string) => string): string | null;
  /** Whether these settings enable the plugin. By default, a plugin is on. */
  isOn?(settings: PluginSettings<Table>): boolean;
  /** The environment variables that make an application send through the plugin. */
  sending?(settings: PluginSettings<Table>): Sending;
  /** What `mayfly doctor` says about the plugin. `sending` contains the service's address. */
  examine?(settings: PluginSettings<Table>, sending: Sending): string;
  /** Loads the plugin's tasks for parser threads, by name. */
  tasks?(): Promise<PluginTasks>;
  /** Called once, when the service starts. */
  setUp(host: PluginHost<Table>): void | Promise<void>;
}

export type Plugin = PluginDefinition & { readonly [MARK]: number };

/** An email as listeners receive it: without the raw message. */
export type NewEmail = Omit<Email, 'rawBody'>;

/** Called with each new email and its inbox. The signal aborts when the listener's time is over or the service ends. */
export type EmailListener = (
  email: NewEmail,
  about: { readonly inbox: string; readonly signal: AbortSignal },
) => void | Promise<void>;

export interface AddedRoutes extends Pick<PluginRoutes, 'ownerOf'> {
  /** The common prefix of the routes' paths, or empty. */
  readonly root?: string;
  /** `config.limit` in a route names its limit; by default, requests count as reads of inboxes. */
  add(app: App, service: Service): void | Promise<void>;
}

export interface PluginHost<Table extends SettingsTable = SettingsTable> {
  readonly settings: PluginSettings<Table>;
  readonly log: Log;
  readonly clock: Clock;
  /** Adds HTTP routes, in a separate Fastify scope. */
  addRoutes(routes: AddedRoutes): void;
  /** Calls a listener with each new email that this process accepts. A slow or failing listener delays no delivery. */
  onEmail(listener: EmailListener): void;
  /** Wraps the delivery of mail: `wrap` gets the next slot and returns one that may refuse, delay or lose mail. */
  receive(wrap: (next: MailSlot) => MailSlot): void;
  /** Lets the plugin hold mail back. Clearing an inbox that `mayHold` accepts also clears its held mail. */
  holdMail(mayHold: (inbox: string) => boolean): HeldMail;
  /** Counts uses of names in windows of time, over all nodes that share a store. */
  windows(count: string): WindowCounter;
  /** Runs a task of the plugin in a parser thread, outside of a request. Rejects if the task fails or is too slow. */
  run(task: string, details: unknown, bytes: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Adds a function that runs when the service stops. The function that was added last runs first. */
  onClose(close: () => void | Promise<void>): void;
}

export interface Service extends RouteGuard {
  /** The emails of all inboxes. */
  readonly records: Records;
  /** Accepts mail that does not arrive over SMTP. */
  readonly mail: MailSlot;
  /** Counts the memory that HTTP holds for clients. */
  readonly held: Inboxes['held'];
  /** Adds messages and refused requests to the delivery log. */
  readonly attempts: Pick<AttemptBook, 'begin' | 'handedOut'>;
  /** Counts a client's messages over SMTP and HTTP. */
  readonly mailRate: Limiter;
  /** Like `mailRate`, for an ad-hoc workspace; null if ad-hoc workspaces are off. */
  readonly adHocRate: Limiter | null;
  readonly clock: Clock;
  /** A task of the plugin, for `run` and for `records.messages.inspect`. */
  task(name: string, details: unknown): PluginWork;
  /** Runs a task in a parser thread, in turns by client. Rejects if the task fails or takes too long. */
  run(work: PluginWork, toParse: ToParse): Promise<readonly Uint8Array[]>;
}

export function definePlugin<Table extends SettingsTable = Readonly<Record<never, Setting>>>(
  definition: PluginDefinition<Table>,
): Plugin {
  return { ...(definition as unknown as PluginDefinition), [MARK]: PLUGIN_API };
}

/** The version for which `definePlugin` made a value; null for any other value. */
export function pluginVersion(value: unknown): unknown {
  return typeof value === 'object' && value !== null && MARK in value ? value[MARK] : null;
}

/** The message of a thrown value, on one line and without the final period. */
export function messageLine(error: unknown): string {
  return textOf(error).slice(0, 500).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** File and line of the first stack frame outside Mayfly. The stack of a syntax error begins with its location. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? String(error.stack) : '';
  const places = stack.match(/file:\/\/\/[^\s()]+/g) ?? [];
  const first = places.find((place) => /:\d+$/.test(place) && !place.startsWith(OWN_CODE)) ?? '';
  const [, url, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(first) ?? [];
  return url === undefined ? '' : ` (${fileURLToPath(url)}, line ${line})`;
}

/** A thrown value may be hostile: its message may be a getter, or not a string. */
function textOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    // An error of fetch names the reason only in its cause.
    const [message, cause] = [String(error.message), error.cause];
    const why = cause instanceof Error ? String(cause.message || ((cause as NodeJS.ErrnoException).code ?? '')) : '';
    return why === '' || message.includes(why) ? message : `${message} (${why})`;
  } catch {
    return 'it threw a value that is not an error';
  }
}
