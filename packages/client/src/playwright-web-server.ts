import { STANDARD_CONNECT_TIMEOUT_MS } from './bounds.js';
import { Mayfly } from './client.js';
import { environment, say, setEnvironment } from './environment.js';
import { MayflyError, MayflyOptionError } from './errors.js';
import { STARTED_VARIABLE } from './fixtures.js';
import { runSecret, runSentence } from './run.js';
import { type MayflyStartOptions, withEnvironment } from './run-service.js';
import { STANDARD_DOMAIN } from './settings.js';
import type { ServiceSettings } from './wire.js';

/** An entry of `webServer` in a Playwright configuration. */
export interface MayflyWebServer {
  readonly name: string;
  readonly command: string;
  readonly url: string;
  readonly reuseExistingServer: boolean;
  readonly gracefulShutdown: { readonly signal: 'SIGINT'; readonly timeout: number };
  readonly env: Record<string, string>;
}

/** What the command is to do: start a service, or say that nothing answers at an address. */
export interface ServerTask {
  readonly options?: MayflyStartOptions;
  readonly baseUrl?: string;
}

/** The variable in which the command finds it. No setting of the service has such a name. */
export const SERVER_VARIABLE = 'START_MAYFLY';

/** As `mayfly serve` has them, except that nothing stays behind. */
const STANDARD = { host: '127.0.0.1', httpPort: 8080, smtpPort: 2525, store: 'memory:' };

const MAX_PORT = 65_535;

/** How long Playwright lets the command write what came to failed tests. */
const SERVER_END_MS = 15_000;

/** Addresses that stand for all of a machine, and by which it reaches itself. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * An entry of `webServer`: Playwright starts Mayfly, waits until it is ready and stops it after the run. A Mayfly that
 * already runs is used unchanged, whatever valid options are given, and keeps running. Environment variables tell the
 * tests, and later servers in the list, where it is. If `MAYFLY_URL` is set, nothing is started, and the run fails with
 * a message if nothing answers there. Throws `MayflyOptionError` for an invalid port and, if a Mayfly already runs, for
 * everything that a start would refuse. Throws `MayflyError` if another program has the HTTP port: Playwright would
 * take its answer for Mayfly's.
 */
export function mayflyServer(options: MayflyStartOptions = {}): MayflyWebServer {
  const settings: MayflyStartOptions = { ...standard(), ...withEnvironment(options) };
  const host = reachable(settings.host);
  const smtpPort = checkedPort('smtpPort', settings.smtpPort);
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${checkedPort('httpPort', settings.httpPort)}`;
  // Playwright reads a configuration several times, in processes that have what the first time has set.
  if (environment.MAYFLY_URL && environment.MAYFLY_URL !== baseUrl) {
    const { baseUrl } = new Mayfly();
    runSecret();
    return webServer(baseUrl, { baseUrl });
  }
  // An earlier reading of the configuration has set both.
  if (!environment.MAYFLY_URL || !environment.SMTP_PORT) {
    const running = runningAt(baseUrl, settings);
    const smtp = running?.smtp ?? { host: settings.host, port: smtpPort };
    setEnvironment({
      ...(running === null && { [STARTED_VARIABLE]: baseUrl }),
      MAYFLY_URL: baseUrl,
      MAYFLY_DOMAIN: firstDomain(running?.domains ?? settings.domain),
      SMTP_HOST: reachable(smtp.host),
      SMTP_PORT: `${smtp.port}`,
    });
    // All workers report to the same run.
    const isGiven = Boolean(environment.MAYFLY_RUN);
    const secret = runSecret();
    if (!isGiven && running?.hasRuns) say(runSentence(`${baseUrl}/run/${secret}`));
  }
  return webServer(baseUrl, { options: settings });
}

/**
 * The ports are those of the variables of the service, where it has some: another run on the machine may have the usual
 * ones.
 */
function standard(): MayflyStartOptions {
  const { MAYFLY_HTTP_PORT: httpPort, MAYFLY_SMTP_PORT: smtpPort } = environment;
  return { ...STANDARD, ...(httpPort && { httpPort }), ...(smtpPort && { smtpPort }) };
}

function webServer(baseUrl: string, task: ServerTask): MayflyWebServer {
  return {
    name: 'Mayfly',
    // Playwright runs it in the folder of the configuration, where this package is found.
    command: `node -e "import('mayfly-client/playwright/server')"`,
    url: `${baseUrl}/readyz`,
    reuseExistingServer: true,
    // To the whole group of processes: that of the service itself ends at SIGTERM.
    gracefulShutdown: { signal: 'SIGINT', timeout: SERVER_END_MS },
    env: { [SERVER_VARIABLE]: JSON.stringify(task) },
  };
}

/** The settings of a service that tests and applications need; null if no service runs. */
type Running = (Pick<ServiceSettings, 'domains' | 'smtp'> & { readonly hasRuns: boolean }) | null;

/**
 * A configuration is read synchronously, so another process asks. It prints Mayfly's settings, or why the service's
 * package would refuse the options, or `false` if the answer is not Mayfly's, or nothing if no answer comes in time.
 */
const ASK = `
fetch(process.argv[1], { signal: AbortSignal.timeout(${STANDARD_CONNECT_TIMEOUT_MS}) })
  .then(async (answer) => {
    const { domains, smtp } = (await answer.json().catch(() => null)) ?? {};
    if (answer.headers.has('mayfly-error')) return;
    // Of an older service there is no such path; otherwise there is no such run.
    const { status } = await fetch(new URL('run/-', process.argv[1]));
    const { checkStartOptions: check } = await import('mayfly-inbox').catch(() => ({}));
    try {
      check?.(JSON.parse(process.argv[2]));
      console.log(JSON.stringify(domains && smtp ? { domains, smtp, hasRuns: status !== 404 } : false));
    } catch ({ message }) {
      console.log(JSON.stringify(message));
    }
  }, () => {});
`;

interface NodeProcess {
  readonly execPath: string;
  getBuiltinModule(name: 'node:child_process'): {
    spawnSync(program: string, args: readonly string[]): { readonly stdout: { toString(): string } | null };
  };
}

/**
 * The Mayfly that is there already. Throws for options that a start would refuse, and where another program answers.
 * What speaks no HTTP is left to the start, which names the port.
 */
function runningAt(baseUrl: string, options: MayflyStartOptions): Running {
  const { process } = globalThis as unknown as { process: NodeProcess };
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync(process.execPath, ['-e', ASK, `${baseUrl}/api/settings`, JSON.stringify(options)]);
  const answer: Running | string | false = JSON.parse(stdout?.toString() || 'null');
  if (typeof answer === 'string') throw new MayflyOptionError(`mayflyServer: ${answer.replace('startMayfly: ', '')}`);
  if (answer !== false) return answer;
  throw new MayflyError(
    `mayflyServer: another program answers at ${baseUrl}. Give mayflyServer another httpPort, or set MAYFLY_HTTP_PORT.`,
  );
}

function checkedPort(option: string, value: unknown): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 1 && port <= MAX_PORT) return port;
  throw new MayflyOptionError(
    `mayflyServer: ${option} must be a port from 1 to ${MAX_PORT}, for Playwright has to know it before Mayfly starts.`,
  );
}

function reachable(host: unknown): string {
  return LOOPBACK[String(host)] ?? String(host);
}

/** The domain of the inboxes, where mail is accepted for one, for several or for any. */
function firstDomain(domain: unknown): string {
  return (
    [domain ?? []]
      .flat()
      .map(String)
      .find((one) => one !== '*') ?? STANDARD_DOMAIN
  );
}
