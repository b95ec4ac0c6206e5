import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { refusingPort } from '../../server/test/ports.js';
import { endAll, MAYFLY, runMayfly, serve } from '../../server/test/service/process.js';

const mayfly = await serve(['--store', 'memory:', '--domain', 'first.test', '--domain', 'second.test']);

afterAll(endAll);

/** A `mayfly mcp` process whose messages the test writes and reads itself. */
interface Talk {
  readonly child: ChildProcess;
  /** Sends a message, and resolves to the response with its ID. */
  ask(method: string, params: object): Promise<{ result: Record<string, unknown> }>;
  /** Standard output so far. */
  output(): string;
}

async function talk(args: readonly string[], environment: Record<string, string> = {}): Promise<Talk> {
  const child = spawn(process.execPath, [MAYFLY, 'mcp', ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  let id = 0;
  const answerOf = (number: number) => {
    const lines = output.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).find((message) => message.id === number);
  };
  const ask = async (method: string, params: object) => {
    id += 1;
    const number = id;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: number, method, params })}\n`);
    while (answerOf(number) === undefined) await once(child.stdout, 'data');
    return answerOf(number);
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return { child, ask, output: () => output };
}

const call = ({ ask }: Talk, name: string, args: object) => ask('tools/call', { name, arguments: args });

describe('mayfly mcp', () => {
  test('writes only protocol messages, and exits with 0 when the host closes its side, even during a wait', async () => {
    const agent = await talk(['--url', mayfly.url]);
    const { result } = await call(agent, 'create_inbox', {});
    const { inbox } = result.structuredContent as { inbox: string };
    const waiting = { name: 'wait_for_email', arguments: { inbox, timeout_seconds: 50 } };
    agent.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'tools/call', params: waiting })}\n`);
    await agent.ask('tools/list', {});
    agent.child.stdin?.end();
    expect(await once(agent.child, 'exit')).toEqual([0, null]);
    for (const line of agent.output().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  test('creates inboxes in --domain, and returns an error if Mayfly does not accept that domain', async () => {
    const addressOf = async (args: readonly string[], environment = {}) => {
      const agent = await talk(['--url', mayfly.url, ...args], environment);
      const { result } = await call(agent, 'create_inbox', {});
      agent.child.stdin?.end();
      await once(agent.child, 'exit');
      const { structuredContent, content } = result as { structuredContent?: { address: string }; content: unknown };
      return structuredContent?.address ?? content;
    };
    expect(await addressOf([])).toMatch(/@first\.test$/);
    expect(await addressOf(['--domain', 'second.test'])).toMatch(/@second\.test$/);
    expect(await addressOf([], { MAYFLY_DOMAIN: 'second.test' })).toMatch(/@second\.test$/);
    expect(await addressOf(['--domain', 'other.test'])).toEqual([
      { type: 'text', text: 'This Mayfly accepts mail only for first.test, second.test, not for other.test.' },
    ]);
  });

  test('returns an error with the command that starts Mayfly if no service is running', async () => {
    const agent = await talk([], { MAYFLY_URL: `http://127.0.0.1:${await refusingPort()}` });
    for (const [tool, args] of [
      ['create_inbox', {}],
      ['wait_for_email', { inbox: 'a' }],
      ['check_inbox', { inbox: 'a' }],
    ] as const) {
      const { result } = await call(agent, tool, args);
      expect(result).toMatchObject({ isError: true });
      const [{ text }] = result.content as [{ text: string }];
      expect(text).toMatch(/cannot be reached.*Start it with "npx mayfly-inbox serve".*--url or MAYFLY_URL/);
    }
    agent.child.stdin?.end();
    expect(await once(agent.child, 'exit')).toEqual([0, null]);
  });

  test('exits with 2 and an explanation on stderr if an option is invalid, and writes nothing to stdout', async () => {
    for (const args of [['--url', 'nowhere'], ['--domain', 'a b'], ['--api-key', 'short'], ['--key', 'x'], ['more']]) {
      const { exitCode, stdout, stderr } = await runMayfly(['mcp', ...args]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^mayfly: .+[.?]\n$/);
    }
  });
});
