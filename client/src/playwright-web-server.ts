import { Mayfly } from './client.js';
import { MayflyOptionError } from './errors.js';
import { environment, type MayflyStartOptions, setEnvironment, withEnvironment } from './run-service.js';
import { STANDARD_DOMAIN } from './settings.js';

/** An entry of `webServer` in a Playwright configuration. */
export interface MayflyWebServer {
  readonly name: string;
  readonly command: string;
  readonly url: string;
  readonly reuseExistingServer: boolean;
  readonly env: Record<string, string>;
}

/** What the command is to do: start a service, or say that nothing answers at an address. */
export interface ServerTask {
  readonly options?: MayflyStartOptions;
  readonly baseUrl?: string;
}

/** The variable in which the command finds it. No setting of the service has such a name. */
export const SERVER_VARIABLE = 'START_MAYFLY';

/** As `mayfly serve` has them, but that nothing stays behind. */
const STANDARD = { host: '127.0.0.1', httpPort: 8080, smtpPort: 2525, store: 'memory:' };

const MAX_PORT = 65_535;

/** Addresses that stand for all of a machine, and by which it reaches itself. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * An entry of `webServer`: Playwright starts Mayfly with it, waits until it is ready and ends it with the run. One that is there already
 * is used and left running. The tests, and servers that stand behind it in the list, learn by the environment where it is.
 * Where `MAYFLY_URL` is set nothing is started: the run ends with a sentence if nothing answers there.
 * Throws `MayflyOptionError` for a port that is none.
 */
export function mayflyServer(options: MayflyStartOptions = {}): MayflyWebServer {
  const settings: MayflyStartOptions = { ...standard(), ...withEnvironment(options) };
  const host = LOOPBACK[String(settings.host)] ?? String(settings.host);
  const smtpPort = checkedPort('smtpPort', settings.smtpPort);
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${checkedPort('httpPort', settings.httpPort)}`;
  // Playwright reads a configuration several times, in processes that have what the first time has set.
  if (environment.MAYFLY_URL && environment.MAYFLY_URL !== baseUrl) {
    const { baseUrl } = new Mayfly();
    return webServer(baseUrl, { baseUrl });
  }
  setEnvironment({
    MAYFLY_URL: baseUrl,
    MAYFLY_DOMAIN: firstDomain(settings.domain),
    SMTP_HOST: host,
    SMTP_PORT: `${smtpPort}`,
  });
  return webServer(baseUrl, { options: settings });
}

/** The ports are those of the variables of the service, where it has some: another run on the machine may have the usual ones. */
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
    env: { [SERVER_VARIABLE]: JSON.stringify(task) },
  };
}

function checkedPort(option: string, value: unknown): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 1 && port <= MAX_PORT) return port;
  throw new MayflyOptionError(
    `mayflyServer: ${option} must be a port from 1 to ${MAX_PORT}, for Playwright has to know it before Mayfly starts.`,
  );
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
