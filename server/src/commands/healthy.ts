import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { printable } from 'mayfly-cli';
import { reachedAt, withPort } from '../listen-address.js';
import { readSettings, SettingsError, settingsOfEnvironment } from '../settings/reading.js';
import { messageOf } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import type { Command, Invocation } from './command.js';

/** How long the service may take to answer. */
const TIMEOUT_MS = 3_000;

/** What a service that is ready answers. */
const READY = /^\{"status":"ready"\}$/;

/** How much of an answer is shown, in characters. */
const MAX_SHOWN = 500;

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
  const { status, text } = await ask(url);
  if (status !== 200) throw new Error(`Not ready: ${url} answered ${status} ${printable(text)}`);
  if (!READY.test(text)) throw new Error(`Not ready: what answers at ${url} is not Mayfly.`);
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Asks without what `fetch` brings along, which takes longer to load than all else: a container asks every few seconds. */
async function ask(url: string): Promise<{ status: number; text: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const asking = get(url, { signal });
    // An answer that goes over to another protocol is dropped by Node without a word: nothing would be waited for, and so the process end.
    const noAnswer = once(asking, 'close').then(() => Promise.reject(new Error('what answers is not Mayfly')));
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

/** Where a service of these settings answers. */
function urlOf({ host, 'http-port': port }: Settings): string {
  if (port === 0)
    throw new SettingsError('--http-port: which one? 0 is any free port, so it does not tell where to ask.');
  return `http://${withPort(reachedAt(host), port)}/readyz`;
}
