import { FIRST_PARTY } from '../../plugins.js';
import type { PluginWork } from '../inbox/inboxes.js';
import type { Plugin, PluginResult, PluginTasks } from './define.js';
import { pluginAt } from './plugin-module.js';

/** The tasks of each plugin that has had work in this thread. */
const loaded = new Map<string, Promise<PluginTasks>>();

/** Runs a task of a plugin in a parser thread. Rejects if there is none of this name, or it returns anything else. */
export async function runPluginTask(
  bytes: Uint8Array,
  { plugin, from, task, details }: PluginWork,
): Promise<PluginResult> {
  const known = loaded.get(plugin) ?? tasksOf(plugin, from);
  loaded.set(plugin, known);
  const run = (await known)[task];
  if (typeof run !== 'function') throw new Error(`The plugin ${plugin} has no task "${task}".`);
  const result: unknown = await run(bytes, details as never);
  const isResult = Array.isArray(result) && result.length > 0 && result.every((one) => one instanceof Uint8Array);
  if (!isResult) throw new Error(`The task "${task}" of the plugin ${plugin} returned something else than bytes.`);
  return result as unknown as PluginResult;
}

async function tasksOf(name: string, from: string | null): Promise<PluginTasks> {
  const plugin = from === null ? FIRST_PARTY.find((one) => one.name === name) : ((await pluginAt(from)) as Plugin);
  return (await plugin?.tasks?.()) ?? {};
}
