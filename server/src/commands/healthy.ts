import { readSettings, SettingsError, settingsOfEnvironment } from '../settings/reading.js';
import { messageOf } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import type { Command, Invocation } from './command.js';

/** How long the service may take to answer. */
const TIMEOUT_MS = 3_000;

/** Nothing listens at these addresses: they stand for all that the machine has. */
const WHOLE_MACHINE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const healthy: Command = {
  usage: 'healthy [OPTIONS]',
  summary: 'Ends with 0 when the service is ready, else with 1.',
  description:
    'Asks /readyz of the service on this machine that has the same settings, and says what it answered. It ends with 0 when the ' +
    'service is ready and with 1 when it is not, for the health check of a container.',
  settings: ['host', 'http-port'],
  switches: {},
  maxOperands: 0,
  run: askWhetherReady,
};

async function askWhetherReady({ settings: flags, environment }: Invocation): Promise<number> {
  const url = urlOf(readSettings(flags, settingsOfEnvironment(environment)));
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Error(`No answer from ${url}: ${whyNot(error)}. Is the service running?`, { cause: error });
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Not ready: ${url} answered ${answer.status} ${text}`);
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Where a service of these settings answers. */
function urlOf({ host, 'http-port': port }: Settings): string {
  if (port === 0)
    throw new SettingsError('--http-port: which one? 0 is any free port, so it does not tell where to ask.');
  const address = WHOLE_MACHINE[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/readyz`;
}

/** What `fetch` hides in the cause of its error. */
function whyNot(error: unknown): string {
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}
