import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { CLIENT_OPTIONS, clientOptions, printable, withMayfly } from 'mayfly-cli';
import { reachedAt, withPort } from '../base/listen-address.js';
import { manifest } from '../manifest.js';
import { readSettings, SettingsError, settingsOfEnvironment } from '../settings/reading.js';
import { messageOf } from '../settings/resources.js';
import type { Command, Invocation } from './command.js';

const TIMEOUT_MS = 3_000;

const READY = /^\{"status":"ready"\}$/;

const MAX_SHOWN = 500;

export const healthy: Command = {
  usage: 'healthy [OPTIONS]',
  summary: 'Exits with 0 if the service is ready, otherwise with 1.',
  description:
    'Requests /readyz from the service that runs on this machine with these settings, and prints the response. It exits with 0 if the ' +
    'service is ready and with 1 if it is not, for container health checks.',
  settings: ['host', 'http-port'],
  switches: {},
  maxOperands: 0,
  run: askWhetherReady,
};

async function askWhetherReady({ settings: flags, environment }: Invocation): Promise<number> {
  const { host, 'http-port': port } = readSettings(flags, settingsOfEnvironment(environment, { hasPlugins: false }));
  if (port === 0)
    throw new SettingsError('--http-port: 0 means any free port. Specify the port that the service uses.');
  const url = `http://${withPort(reachedAt(host), port)}/readyz`;
  const { status, text } = await ask(url);
  if (status !== 200) throw new Error(`Not ready: ${url} answered ${status} ${printable(text)}`);
  if (!READY.test(text)) throw new Error(`Not ready: the server at ${url} is not Mayfly.`);
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Does not use `fetch`, because it loads slowly and containers run this command every few seconds. */
async function ask(url: string): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // Node's global agent would use the proxy of HTTP_PROXY if NODE_USE_ENV_PROXY is set.
    const asking = get(url, { signal, agent: new Agent() });
    // Node drops a response that switches protocols. Without this rejection, the process would end without a message.
    const noAnswer = once(asking, 'close').then(() => Promise.reject(new Error('the server is not Mayfly')));
    const [answer] = (await Promise.race([once(asking, 'response'), noAnswer])) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk;
      if (text.length >= MAX_SHOWN) break;
    }
    return { status: answer.statusCode ?? 0, text: text.slice(0, MAX_SHOWN) };
  } catch (error) {
    const reason = signal.aborted ? `it took longer than ${TIMEOUT_MS / 1_000} s` : messageOf(error);
    throw new Error(`No answer from ${url}: ${reason}. Is the service running?`, { cause: error });
  }
}

export const mcp: Command = {
  usage: 'mcp [OPTIONS]',
  summary: 'Connects a coding agent to the inboxes of a running service.',
  description:
    'Serves the Model Context Protocol on standard input and output, so that a coding agent can create inboxes, wait ' +
    'for emails and read them. It uses a running service ("mayfly serve") and exits when the agent does. To let an agent ' +
    'use a service directly, start the service with --mcp and give the agent its URL followed by /mcp.',
  switches: {},
  options: CLIENT_OPTIONS,
  maxOperands: 0,
  async run(invocation) {
    const { serveAgent } = await import('mayfly-mcp/stdio');
    await withMayfly(invocation, () => serveAgent(manifest.version, clientOptions(invocation.options)));
    return 0;
  },
};
