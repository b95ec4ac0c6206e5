import { fileURLToPath } from 'node:url';
import type { AttemptBook } from '../attempts/book.js';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { HttpError, SmtpError } from '../errors.js';
import type { AddedLimit, App, OptionalPart, PluginRoutes, RouteGuard } from '../http/http.js';
import type { HeldMail, Inboxes, MailSlot, PluginWork } from '../inbox/inboxes.js';
import type { Records } from '../inbox/records.js';
import type { ToParse } from '../inbox/threads/parser-pool.js';
import type { Limiter, WindowCounter } from '../limits/rate-limiter.js';
import type { Setting, Settings, ValuesOf } from '../settings/table.js';

/** Raised when a plugin that was written for one version would not work with the other. */
export const PLUGIN_API = 1;

/** Marks what `definePlugin` made, also that of another copy of this package. */
const MARK = Symbol.for('mayfly-inbox/plugin');

/** Where this module is: the bundle, or the folder of all sources. */
const OWN_CODE = new URL('..', import.meta.url).href;

export type SettingsTable = Readonly<Record<string, Setting>>;

/** The values of a plugin's settings and of the service's own. */
export type PluginSettings<Table extends SettingsTable> = Settings & ValuesOf<Table>;

/** An error over HTTP. `where` says in docs/errors.md which requests meet it. */
interface PluginHttpError extends HttpError {
  readonly where: string;
}

/** How often a client may use routes whose `config.limit` names it. */
export interface PluginLimit extends Pick<AddedLimit, 'setting' | 'text'>, Partial<Pick<AddedLimit, 'takesBasic'>> {
  /** Which requests it limits, for docs/errors.md. */
  readonly where: string;
}

/** Makes bytes of bytes in a parser thread. `details` is what else there is to know. */
export type PluginTask = (bytes: Uint8Array, details: never) => PluginResult | Promise<PluginResult>;

export type PluginResult = readonly [found: Uint8Array, ...more: Uint8Array[]];

export type PluginTasks = Readonly<Record<string, PluginTask>>;

/** Environment variables of an application, by provider. `{origin}` and `{host}` stand for the service's address. */
export type Sending = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface PluginDefinition<Table extends SettingsTable = SettingsTable> {
  /** In lower case, with hyphens. */
  readonly name: string;
  readonly settings?: Table;
  readonly errors?: {
    readonly http?: Readonly<Record<string, PluginHttpError>>;
    readonly smtp?: Readonly<Record<string, SmtpError>>;
  };
  readonly limits?: Readonly<Record<string, PluginLimit>>;
  /** Paths that are served only with an option, for the 404 without it. */
  readonly optionalParts?: readonly OptionalPart[];
  /** A sentence about settings that contradict each other; null if all is well. */
  check?(settings: PluginSettings<Table>, label: (name: string) => string): string | null;
  /** Whether these settings ask for it. By default, a plugin is on. */
  isOn?(settings: PluginSettings<Table>): boolean;
  /** What applications need to send through it. */
  sending?(settings: PluginSettings<Table>): Sending;
  /** What `mayfly doctor` says about the plugin. `sending` has the service's address filled in. */
  examine?(settings: PluginSettings<Table>, sending: Sending): string;
  /** Loads what it does in parser threads, by name. */
  tasks?(): Promise<PluginTasks>;
  /** Called once, when the service starts. */
  setUp(host: PluginHost<Table>): void | Promise<void>;
}

export type Plugin = PluginDefinition & { readonly [MARK]: number };

/** An email as a listener gets it: without the raw message. */
export interface NewEmail {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly receivedAt: string;
  readonly otp: string | null;
  readonly magicLink: string | null;
}

/** Called with each new email and its inbox. The signal aborts when its time is over, or the service stops. */
export type EmailListener = (
  email: NewEmail,
  about: { readonly inbox: string; readonly signal: AbortSignal },
) => void | Promise<void>;

export interface AddedRoutes extends Pick<PluginRoutes, 'tell'> {
  /** The path that they are below, or empty. */
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
  /** Listens to each new email that this process takes. What a listener does, or throws, delays no delivery. */
  onEmail(listener: EmailListener): void;
  /** Wraps the way in for mail: `wrap` gets the next one and returns one that may refuse, delay or lose mail. */
  receive(wrap: (next: MailSlot) => MailSlot): void;
  /** Lets the plugin hold mail back. Clearing an inbox that `mayHold` accepts also clears what it holds back. */
  holdMail(mayHold: (inbox: string) => boolean): HeldMail;
  /** Counts uses of names in windows of time, over all nodes that share a store. */
  windows(count: string): WindowCounter;
  /** Runs a task of the plugin in a parser thread, outside of any request. Rejects if it fails or takes too long. */
  run(task: string, details: unknown, bytes: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Called when the service stops, the last first. */
  onClose(close: () => void | Promise<void>): void;
}

export interface Service extends RouteGuard {
  /** The emails of all inboxes. */
  readonly records: Records;
  /** Takes mail that does not come over SMTP. */
  readonly mail: MailSlot;
  /** Counts the memory that is held for clients over HTTP. */
  readonly held: Inboxes['held'];
  /** Adds messages and refused requests to the delivery log. */
  readonly attempts: Pick<AttemptBook, 'begin' | 'handedOut'>;
  /** Counts a client's messages over SMTP and HTTP. */
  readonly mailRate: Limiter;
  /** The same for a space; null without spaces. */
  readonly spaceRate: Limiter | null;
  readonly clock: Clock;
  /** A task of the plugin, for `run` and for `records.messages.inspect`. */
  task(name: string, details: unknown): PluginWork;
  /** Runs a task in a parser thread, in turns by client. Rejects if it fails or takes too long. */
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

/** The message of what was thrown, on one line and without the period at its end. */
export function messageLine(error: unknown): string {
  return textOf(error).slice(0, 500).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
}

/** The first line outside Mayfly in the stack of what was thrown; of a syntax error, where it is. */
export function placeOf(error: unknown): string {
  const stack = error instanceof Error ? String(error.stack) : '';
  const places = stack.match(/file:\/\/\/[^\s()]+/g) ?? [];
  const first = places.find((place) => /:\d+$/.test(place) && !place.startsWith(OWN_CODE)) ?? '';
  const [, url, line] = /^(.+?):(\d+)(?::\d+)?$/.exec(first) ?? [];
  return url === undefined ? '' : ` (${fileURLToPath(url)}, line ${line})`;
}

/** The thrown value may be hostile: a getter, or not a string. */
function textOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    // What fetch throws says only in its cause what failed.
    const [message, cause] = [String(error.message), error.cause];
    const why = cause instanceof Error ? String(cause.message || ((cause as NodeJS.ErrnoException).code ?? '')) : '';
    return why === '' || message.includes(why) ? message : `${message} (${why})`;
  } catch {
    return 'it threw what is no error';
  }
}
