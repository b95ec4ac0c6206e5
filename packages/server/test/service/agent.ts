import type { RunningMayfly } from './process.js';

/** The result of a protocol method, as a coding agent receives it over HTTP. Throws for an error. */
// biome-ignore lint/suspicious/noExplicitAny: the protocol defines the results, whose fields tests name
export async function askAgent({ url }: RunningMayfly, method: string, params: object, key?: string): Promise<any> {
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...(key && { authorization: `Bearer ${key}` }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text();
  const { result } = JSON.parse(/^data: (.+)$/m.exec(answer)?.[1] ?? '{}');
  if (result === undefined) throw new Error(`The agent got an error: ${answer}`);
  return result;
}

/** Calls a tool, and resolves to its result. */
export function callTool(mayfly: RunningMayfly, name: string, args: object, key?: string) {
  return askAgent(mayfly, 'tools/call', { name, arguments: args }, key);
}
