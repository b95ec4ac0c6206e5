import { SettingsError } from '../settings/reading.js';
import { flawIn } from './check-plugin.js';
import { messageLine, type Plugin } from './define.js';
import { install, installedPlugins } from './installed.js';
import { pluginAt } from './plugin-module.js';

const MAX_PLUGINS = 50;

/** Loads plugins that `--plugin` names, and adds them. Rejects with a `SettingsError` that names the one at fault. */
export async function loadPlugins(names: readonly string[]): Promise<void> {
  if (names.length > MAX_PLUGINS) throw new SettingsError(`--plugin: at most ${MAX_PLUGINS} plugins can be loaded.`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new SettingsError(`--plugin: ${twice} is given twice. Give it once.`);
  for (const name of names) {
    if (installedPlugins().some(({ from }) => from === name)) continue;
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
