import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { PluginRoutes, RouteGuard } from '../http/http.js';
import type { Inboxes, MailSlot, PluginWork } from '../inbox/inboxes.js';
import type { Limits } from '../limits/limits.js';
import { SettingsError } from '../settings/reading.js';
import type { Settings } from '../settings/table.js';
import type { AddedRoutes, PluginHost, PluginSettings, Service, SettingsTable } from './define.js';
import { type EmailListeners, emailListeners } from './email-listeners.js';
import { guardedSlot } from './guarded-slot.js';
import { asked, failed, type Installed, pluginPaths, pluginsOn, sendingVariables } from './installed.js';

/** How long a plugin may take to start, and to close. */
const SET_UP_LIMIT_MS = 30_000;
const CLOSE_LIMIT_MS = 10_000;

export interface PluginsOptions {
  readonly settings: Settings;
  readonly inboxes: Pick<Inboxes, 'briefAt' | 'changes' | 'heldBack'>;
  readonly counting: Pick<Limits, 'windows'>;
  readonly run: Service['run'];
  readonly clock: Clock;
  readonly log: Log;
}

interface OfPlugin<T> {
  readonly installed: Installed;
  readonly its: T;
}

/** The plugins that the settings ask for, from the start of a service to its end. */
export class Plugins {
  readonly #options: PluginsOptions;
  readonly #routes: OfPlugin<AddedRoutes>[] = [];
  readonly #wraps: OfPlugin<(next: MailSlot) => MailSlot>[] = [];
  readonly #closers: OfPlugin<() => unknown>[] = [];
  #listeners: EmailListeners | null = null;
  #isSetUp = false;

  constructor(options: PluginsOptions) {
    this.#options = options;
  }

  /** Rejects with a sentence if a plugin cannot begin. */
  async setUp(): Promise<void> {
    const { settings, clock } = this.#options;
    for (const installed of pluginsOn(settings)) {
      const host = this.#hostOf(installed);
      await inTime(clock, SET_UP_LIMIT_MS, async () => installed.plugin.setUp(host)).catch((error) => {
        throw error instanceof SettingsError && installed.from === null ? error : failed(installed, error);
      });
    }
    this.#isSetUp = true;
  }

  /** The way in for mail with what plugins put before it. */
  receiving(inboxes: MailSlot): MailSlot {
    const { clock, log } = this.#options;
    return this.#wraps.reduce<MailSlot>((next, { installed, its }) => {
      // Ours may take as long as the store does.
      if (installed.from === null) return its(next);
      return asked(installed, () => guardedSlot({ plugin: installed.plugin.name, next, wrap: its, clock, log }));
    }, inboxes);
  }

  /** What HTTP needs of all plugins. */
  forHttp(service: Omit<Service, keyof RouteGuard | 'task'>) {
    const { settings } = this.#options;
    return { plugins: this.routes(service), ...pluginPaths(settings), sendApis: sendingVariables(settings) };
  }

  routes(service: Omit<Service, keyof RouteGuard | 'task'>): PluginRoutes[] {
    const { clock } = this.#options;
    return this.#routes.map(({ installed, its: { root = '', tell, add } }) => ({
      ...{ root, limit: 'look', plugin: installed.from === null ? undefined : installed.plugin.name },
      ...(tell && { tell }),
      add: async (api, guard) => {
        try {
          const task = (name: string, details: unknown) => workOf(installed, name, details);
          await inTime(clock, SET_UP_LIMIT_MS, async () => add(api, { ...guard, ...service, task }));
        } catch (error) {
          throw failed(installed, error);
        }
      },
    }));
  }

  /** Ends listeners, and lets plugins close. A failure is logged. */
  async close(): Promise<void> {
    await this.#listeners?.stop();
    for (const { installed, its } of this.#closers.splice(0).reverse()) {
      await inTime(this.#options.clock, CLOSE_LIMIT_MS, async () => its()).catch((error) => {
        this.#options.log.error({ err: error }, `The plugin ${installed.plugin.name} could not be closed.`);
      });
    }
  }

  #hostOf(installed: Installed): PluginHost {
    const { settings, inboxes, counting, clock, log, run } = this.#options;
    const { name } = installed.plugin;
    return {
      settings: unchangeable(settings) as PluginSettings<SettingsTable>,
      log: installed.from === null ? log : log.child({ plugin: name }),
      clock,
      addRoutes: (its) => {
        checkRoutes(its);
        this.#add(this.#routes, installed, its);
      },
      receive: (its) => this.#add(this.#wraps, installed, checked('receive', its)),
      holdMail: (mayHold) => {
        inboxes.heldBack.addTest(checked('holdMail', mayHold));
        return inboxes.heldBack;
      },
      windows: (count) => counting.windows(installed.from === null ? count : `${name}/${count}`),
      onClose: (its) => void this.#closers.push({ installed, its: checked('onClose', its) }),
      onEmail: (listener) => {
        this.#listeners ??= emailListeners(inboxes, clock, log);
        this.#listeners.add(name, checked('onEmail', listener));
      },
      run: (task, details, bytes) =>
        run(workOf(installed, task, details), { client: `plugin ${name}`, pieces: [bytes] }),
    };
  }

  #add<T>(list: OfPlugin<T>[], installed: Installed, its: T): void {
    if (this.#isSetUp) throw new Error('routes and ways in for mail can be added only in setUp');
    list.push({ installed, its });
  }
}

function checked<T>(method: string, its: T): T {
  if (typeof its !== 'function') throw new TypeError(`host.${method} needs a function`);
  return its;
}

function checkRoutes(its: Partial<AddedRoutes> | undefined): void {
  const root: unknown = its?.root ?? '';
  if (typeof its?.add !== 'function' || typeof root !== 'string' || !/^(?:\/|$)/.test(root)) {
    const needed = 'an object with a function "add", and a "root" that begins with / or is empty';
    throw new TypeError(`host.addRoutes needs ${needed}`);
  }
}

/** All plugins and the service itself use the same settings. */
function unchangeable<T>(value: T): T {
  const isPlain = Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
  if (!isPlain || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) unchangeable(inner);
  return value;
}

function workOf({ plugin, from }: Installed, task: string, details: unknown): PluginWork {
  return { plugin: plugin.name, from, task, details };
}
