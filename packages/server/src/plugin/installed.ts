import { FIRST_PARTY } from '../../plugins.js';
import { reachedAt, withPort } from '../base/listen-address.js';
import { type Finding, findings } from '../doctor/finding.js';
import { httpErrors, limitErrors, nameSmtpErrors } from '../errors.js';
import type { AddedLimit } from '../http/access/access.js';
import { addSettingsCheck, isReservedName, SettingsError } from '../settings/reading.js';
import { addSettings, renamedSettings, type Settings, settingNames, settingOf } from '../settings/table.js';
import { flawIn } from './check-plugin.js';
import { messageLine, type Plugin, placeOf, type Sending } from './define.js';
import { pluginAt } from './plugin-module.js';

export interface Installed {
  readonly plugin: Plugin;
  /** The plugin's name in `--plugin`; null for a plugin of this package. */
  readonly from: string | null;
}

const all: Installed[] = [];

export function installedPlugins(): readonly Installed[] {
  return all;
}

/** Adds a plugin and its settings. Throws a `SettingsError` if another definition already has one of its names. */
function install(plugin: Plugin, from: string | null): void {
  const taken = nameTaken(plugin);
  if (taken !== null) throw new SettingsError(`--plugin: ${from} has ${taken}. Rename it.`);
  const installed = { plugin, from };
  nameSmtpErrors(plugin.errors?.smtp ?? {});
  addSettings(from === null ? (plugin.settings ?? {}) : guardedSettings(installed));
  addSettingsCheck((settings, label) => {
    const sentence = asked(installed, () => plugin.check?.(settings, label));
    return typeof sentence === 'string' ? sentence : null;
  });
  all.push(installed);
}

function nameTaken({ name, settings = {}, errors = {}, limits = {} }: Plugin): string | null {
  const others = all.map(({ plugin }) => plugin);
  if (others.some((other) => other.name === name)) return `the name ${name}, which another plugin has`;
  const known = [...settingNames(), ...renamedSettings().keys()];
  for (const [setting, row] of Object.entries(settings)) {
    const isTaken = (one: string) => isReservedName(one) || (known.includes(one) && settingOf(one) !== row);
    if (isTaken(setting)) return `a setting ${setting}, but that name is in use`;
    if (isTaken(row.formerly ?? setting)) return `a setting with the old name ${row.formerly}, but that name is in use`;
  }
  for (const row of Object.values(errors.http ?? {})) {
    const known = [...Object.values(httpErrors), ...others.flatMap((other) => Object.values(other.errors?.http ?? {}))];
    if (known.some((one) => one !== row && one.code === row.code)) return `an error code ${row.code}, which is in use`;
  }
  for (const [limit, row] of Object.entries(limits)) {
    const isTaken = others.some((other) => (other.limits?.[limit] ?? row) !== row);
    if (isTaken || Object.hasOwn(limitErrors, limit)) return `a limit ${limit}, but that name is in use`;
  }
  return null;
}

/** The settings of an external plugin. If parsing a value throws, the error names the plugin. */
function guardedSettings(installed: Installed): NonNullable<Plugin['settings']> {
  const { name, settings = {} } = installed.plugin;
  const rows = Object.entries(settings).map(([setting, { kind, group = `Plugin ${name}`, ...row }]) => {
    const parse = (text: string) => asked(installed, () => kind.parse(text));
    return [setting, { ...row, group, kind: { ...kind, parse } }];
  });
  return Object.fromEntries(rows);
}

/** Returns the result of a plugin's code. If the code throws, throws an error that names the plugin. */
export function asked<T>(installed: Installed, ask: () => T): T {
  try {
    const answer = ask();
    if (!(answer instanceof Promise)) return answer;
    answer.catch(() => {});
    throw new Error('a function that must be synchronous returned a promise');
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw failed(installed, error);
  }
}

export function failed({ plugin: { name }, from }: Installed, error: unknown): SettingsError {
  const shown = from === null || from === name ? name : `${name} (${from})`;
  const why = `${messageLine(error)}${placeOf(error)}`;
  return new SettingsError(`The plugin ${shown} failed: ${why}. Correct the plugin, or start without it.`, {
    cause: error,
  });
}

export function pluginsOn(settings: Settings): readonly Installed[] {
  return all.filter((one) => asked(one, () => one.plugin.isOn?.(settings) ?? true));
}

export function pluginPaths(settings: Settings) {
  const limits = new Map(all.flatMap(({ plugin }) => Object.entries(plugin.limits ?? {})));
  const values = settings as Readonly<Record<string, unknown>>;
  const pluginLimits = [...limits].map(([name, { setting, text, takesBasic = false }]): AddedLimit => {
    return { name, setting, text, takesBasic, rate: values[setting] as AddedLimit['rate'] };
  });
  return { pluginLimits, optionalParts: all.flatMap(({ plugin }) => plugin.optionalParts ?? []) };
}

/** The variables of applications that send through a plugin, with placeholders for the service's address. */
export function sendingVariables(settings: Settings): Sending {
  return Object.assign({}, ...pluginsOn(settings).map((one) => asked(one, () => sendingOf(one, settings))));
}

function sendingOf({ plugin }: Installed, settings: Settings): Sending {
  const sending = plugin.sending?.(settings) ?? {};
  const texts = Object.values(sending).flatMap((variables) => Object.values(variables ?? [null]));
  if (texts.some((one) => typeof one !== 'string')) throw new Error('"sending" must return a string for each variable');
  return sending;
}

export function sendingTo(url: string, settings: Settings): Sending {
  const origin = url.replace(/\/$/, '');
  const host = origin.replace(/^https?:\/\//, '');
  const variables = JSON.stringify(sendingVariables(settings));
  return JSON.parse(variables.replaceAll('{origin}', origin).replaceAll('{host}', host));
}

export function pluginFindings(settings: Settings): readonly Finding[] {
  const url = `http://${withPort(reachedAt(settings.host), settings['http-port'])}`;
  return all.flatMap((one) => {
    const { name, examine } = one.plugin;
    if (examine === undefined) return [];
    const sending = sendingTo(url, settings);
    return findings(name).ok`${asked(one, () => String(examine(settings, sending)))}`;
  });
}

/** Loads the plugins of `--plugin`, and adds them. Rejects with a `SettingsError` that names the plugin at fault. */
export async function loadPlugins(names: readonly string[]): Promise<void> {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new SettingsError(`--plugin: ${twice} is given twice. Give it once.`);
  for (const name of names) {
    if (all.some(({ from }) => from === name)) continue;
    const plugin = await pluginAt(name);
    let flaw: string | null;
    try {
      flaw = flawIn(plugin);
    } catch (error) {
      flaw = `cannot be read: ${messageLine(error)}`;
    }
    if (flaw !== null) throw new SettingsError(`--plugin: ${name} ${flaw}.`);
    install(plugin as Plugin, name);
  }
}

for (const plugin of FIRST_PARTY) install(plugin, null);
