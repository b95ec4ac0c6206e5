import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIRST_PARTY } from '../../plugins.js';
import { inTime, systemClock } from '../base/clock.js';
import type { PluginWork } from '../inbox/inboxes.js';
import { importModule } from '../own-package.js';
import { SettingsError } from '../settings/reading.js';
import { messageLine, type Plugin, type PluginResult, type PluginTasks, placeOf, pluginVersion } from './define.js';

/** Maximum time to load a plugin. The start waits for this, so loading must not wait for the network. */
const LOAD_LIMIT_MS = 30_000;

const PATH = /^\.{0,2}[\\/]|^[A-Za-z]:[\\/]|\.[cm]?[jt]s$/;

const PACKAGE = /^((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})((?:\/[\w.-]{1,100}){0,10})$/;

/** The default export of a plugin's module. A path in `--plugin` is relative to the working directory. */
export async function pluginAt(name: string): Promise<unknown> {
  const url = urlOf(name, process.cwd());
  try {
    const { default: exported } = await inTime(systemClock, LOAD_LIMIT_MS, () => importModule(url));
    // Compilers to CommonJS put an `export default` into a property named `default`.
    const inner = (exported as { readonly default?: unknown } | undefined)?.default;
    return pluginVersion(inner) === null ? exported : inner;
  } catch (error) {
    throw new SettingsError(`--plugin: ${name} ${whyNotLoaded(error)}`, { cause: error });
  }
}

function urlOf(name: string, folder: string): string {
  const file = path.resolve(folder, name);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return pathToFileURL(file).href;
  if (PATH.test(name)) {
    throw new SettingsError(
      found?.isDirectory()
        ? `--plugin: ${name} is a folder. Give the path of a file in it.`
        : `--plugin: there is no file ${name} in ${folder}. Correct the path.`,
    );
  }
  const entry = entryOf(name, folder);
  if (entry !== null) return pathToFileURL(entry).href;
  throw new SettingsError(
    PACKAGE.test(name)
      ? `--plugin: there is no package ${name} in ${folder} or above it. Install it there, or give the path of a file, such as ./${name}.js.`
      : `--plugin: "${name}" is neither the path of a file nor the name of a package.`,
  );
}

function entryOf(name: string, folder: string): string | null {
  const { resolve } = createRequire(path.join(folder, 'plugins.js'));
  const [, own = '', below = ''] = PACKAGE.exec(name) ?? [];
  try {
    const entry = own === '' ? '' : resolve(name);
    return path.isAbsolute(entry) ? entry : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') return null;
  }
  // The package has no entry for `require`, so its manifest is read for the entry of `import`.
  const root = (resolve.paths(own) ?? [])
    .map((modules) => path.join(modules, own))
    .find((one) => statSync(path.join(one, 'package.json'), { throwIfNoEntry: false })?.isFile());
  if (root === undefined) return null;
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const target = importOf(exports?.[`.${below}`] ?? (below === '' ? exports : undefined));
  return target === null ? null : path.join(root, target);
}

/** The first target that `import` accepts (nodejs.org/api/packages.html#conditional-exports). */
function importOf(exports: unknown): string | null {
  if (typeof exports === 'string') return exports;
  for (const [condition, target] of Object.entries(exports ?? {})) {
    const found = ['import', 'node', 'default'].includes(condition) ? importOf(target) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Why a plugin was not loaded, as the end of a sentence that begins with the plugin's name. */
function whyNotLoaded(error: unknown): string {
  const { code = '', message = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'mayfly-inbox'")) {
    return 'imports mayfly-inbox, which is not installed there. Run "npm install mayfly-inbox" in the folder of the plugin.';
  }
  return `cannot be loaded: ${messageLine(error)}${placeOf(error)}. Correct the plugin, or start without it.`;
}

const loaded = new Map<string, Promise<PluginTasks>>();

/** Runs a plugin's task in a parser thread. Rejects for an unknown name or a wrong result. */
export async function runPluginTask(bytes: Uint8Array, { plugin, from, task, details }: PluginWork) {
  const load = async () => {
    const own = FIRST_PARTY.find(({ name }) => name === plugin);
    const found = from === null ? own : ((await pluginAt(from)) as Plugin);
    return (await found?.tasks?.()) ?? {};
  };
  const known = loaded.get(plugin) ?? load();
  loaded.set(plugin, known);
  const run = (await known)[task];
  if (typeof run !== 'function') throw new Error(`The plugin ${plugin} has no task "${task}".`);
  const result: unknown = await run(bytes, details as never);
  const isResult = Array.isArray(result) && result.length > 0 && result.every((one) => one instanceof Uint8Array);
  if (!isResult) throw new Error(`The task "${task}" of the plugin ${plugin} returned a value that is not bytes.`);
  return result as unknown as PluginResult;
}
