import { RefusedCommand } from './client.js';
import { LUA, type ScriptName } from './lua.js';
import type { Argument, Reply } from './replies.js';

/** Runs a script; sends it along where Redis does not know it. */
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
