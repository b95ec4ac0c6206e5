import { type Clock, inTime } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { PluginRoutes, RouteGuard } from '../http/parts.js';
import type { Inboxes, MailSlot, PluginWork } from '../inbox/inboxes.js';
import type { Limits } from '../limits/limits.js';
import { SettingsError } from '../settings/reading.js';
import type { Settings } from '../settings/table.js';
import type { AddedRoutes, PluginHost, PluginSettings, Service, SettingsTable } from './define.js';
import { type EmailListeners, emailListeners } from './email-listeners.js';
import { guardedSlot } from './guarded-slot.js';
import { asked, failed, type Installed, pluginPaths, pluginsOn, sendingVariables } from './installed.js';

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

/** The parts of the service that plugins' routes get. */
type Offered = Omit<Service, keyof RouteGuard | 'task'>;

/** The plugins that the settings enable, from the start of a service to its end. */
export class Plugins {
  readonly #options: PluginsOptions;
  readonly #routes: ((service: Offered) => PluginRoutes)[] = [];
  readonly #wraps: ((next: MailSlot) => MailSlot)[] = [];
  readonly #closers: (() => Promise<void>)[] = [];
  #listeners: EmailListeners | null = null;
  #isSetUp = false;

  constructor(options: PluginsOptions) {
    this.#options = options;
  }

  /** Rejects with an error for the operator if a plugin cannot start. */
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

  /** The delivery of mail through all plugins that wrap it. */
  receiving(inboxes: MailSlot): MailSlot {
    return this.#wraps.reduce((next, wrap) => wrap(next), inboxes);
  }

  forHttp(service: Offered) {
    const { settings } = this.#options;
    return { plugins: this.routes(service), ...pluginPaths(settings), sendApis: sendingVariables(settings) };
  }

  routes(service: Offered): PluginRoutes[] {
    return this.#routes.map((routesWith) => routesWith(service));
  }

  async close(): Promise<void> {
    await this.#listeners?.stop();
    for (const close of this.#closers.splice(0).reverse()) await close();
  }

  #hostOf(installed: Installed): PluginHost {
    const { settings, inboxes, counting, clock, log, run } = this.#options;
    const { plugin, from } = installed;
    const { name } = plugin;
    const workOf = (task: string, details: unknown): PluginWork => ({ plugin: name, from, task, details });
    return {
      settings: unchangeable(settings) as PluginSettings<SettingsTable>,
      log: from === null ? log : log.child({ plugin: name }),
      clock,
      addRoutes: (routes) => {
        const { root = '', ownerOf, add } = checkedRoutes(routes);
        // Its errors would end the service, and nothing checks the keys of requests that it owns.
        if (ownerOf && from !== null) throw new TypeError(`only Mayfly's own plugins may have "ownerOf"`);
        this.#whileSetUp(this.#routes).push((service) => ({
          ...{ root, limit: 'read', plugin: from === null ? undefined : name },
          ...(ownerOf && { ownerOf }),
          add: async (api, guard) => {
            const added = async () => add(api, { ...guard, ...service, task: workOf });
            await inTime(clock, SET_UP_LIMIT_MS, added).catch((error) => {
              throw failed(installed, error);
            });
          },
        }));
      },
      receive: (wrap) => {
        checked('receive', wrap);
        // Guards only external plugins, because ours may take as long as the store does.
        const guarded = (next: MailSlot) =>
          asked(installed, () => guardedSlot({ plugin: name, next, wrap, clock, log }));
        this.#whileSetUp(this.#wraps).push(from === null ? wrap : guarded);
      },
      holdMail: (mayHold) => {
        inboxes.heldBack.addTest(checked('holdMail', mayHold));
        return inboxes.heldBack;
      },
      windows: (count) => counting.windows(from === null ? count : `${name}/${count}`),
      onClose: (close) => {
        checked('onClose', close);
        this.#closers.push(() =>
          inTime(clock, CLOSE_LIMIT_MS, async () => close()).catch((error) => {
            log.error({ err: error }, `The plugin ${name} could not be closed.`);
          }),
        );
      },
      onEmail: (listener) => {
        this.#listeners ??= emailListeners(inboxes, clock, log);
        this.#listeners.add(name, checked('onEmail', listener));
      },
      run: (task, details, bytes) => run(workOf(task, details), { client: `plugin ${name}`, pieces: [bytes] }),
    };
  }

  #whileSetUp<T>(list: T[]): T[] {
    if (this.#isSetUp) throw new Error('routes and mail slots can be added only in setUp');
    return list;
  }
}

function checked<T>(method: string, its: T): T {
  if (typeof its !== 'function') throw new TypeError(`host.${method} needs a function`);
  return its;
}

function checkedRoutes(its: Partial<AddedRoutes> | undefined): AddedRoutes {
  const root: unknown = its?.root ?? '';
  if (typeof its?.add === 'function' && typeof root === 'string' && /^(?:\/|$)/.test(root)) return its as AddedRoutes;
  const needed = 'an object with a function "add", and a "root" that begins with / or is empty';
  throw new TypeError(`host.addRoutes needs ${needed}`);
}

/** Freezes a value, so that no plugin can change the settings, which all plugins and the service share. */
function unchangeable<T>(value: T): T {
  const isPlain = Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
  if (!isPlain || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) unchangeable(inner);
  return value;
}
