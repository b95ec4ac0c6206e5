// biome-ignore lint/suspicious/noTsIgnore: there is an error only in projects without the package.
/** @ts-ignore Where tests use a running service, this package may be missing; its types are `any` then. */
import type * as mayflyInbox from 'mayfly-inbox';
import { STANDARD_CONNECT_TIMEOUT_MS } from './bounds.js';
import { Mayfly } from './client.js';
import { environment, say, setEnvironment } from './environment.js';
import { MayflyError } from './errors.js';
import { reached, STARTED_VARIABLE } from './fixtures.js';
import { provideRun, runSecret, STAYING_VARIABLE } from './run.js';
import { randomText } from './run-secret.js';
import { STANDARD_DOMAIN } from './settings.js';
import type { RunResponse } from './wire-runs.js';

/**
 * Options of a service that a run of tests starts: those of `startMayfly`, which are the settings of `mayfly serve` in
 * camel case.
 */
export type MayflyStartOptions = mayflyInbox.StartOptions;

interface NodeProcess {
  getBuiltinModule(name: 'node:os'): { tmpdir(): string };
}

const { process } = globalThis as unknown as { process: NodeProcess };

const MISSING_PACKAGES = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** Enough that the files of several runs never have the same name. */
const FILE_ID_LENGTH = 12;

/** Ends what a set-up has begun. */
export type TearDown = () => Promise<void>;

/**
 * Sees to it that a run of tests has a service, before the first of them: starts one unless
 * `MAYFLY_URL` is set, and says by the environment where it is. Rejects with a sentence where that is not possible, or
 * where nothing answers at `MAYFLY_URL`. Where the service ends with the run, a file shows the run if a test has
 * failed; where tests are run again and again (`staysOn`), the service's page does.
 */
export async function provideService(options: MayflyStartOptions = {}, staysOn = false): Promise<TearDown> {
  if (environment.MAYFLY_URL) {
    const mayfly = new Mayfly();
    await reached({}, 'or unset MAYFLY_URL, so that the run starts one itself');
    const endRun = await provideRun(mayfly.baseUrl);
    return async () => endRun();
  }
  const { startMayfly } = await servicePackage();
  const service = await startMayfly(withEnvironment(options));
  const restore = setEnvironment({
    MAYFLY_URL: service.url,
    [STARTED_VARIABLE]: service.url,
    MAYFLY_DOMAIN: service.domain,
    SMTP_HOST: service.smtp.host,
    SMTP_PORT: `${service.smtp.port}`,
    ...(staysOn && { [STAYING_VARIABLE]: service.url }),
  });
  const endRun = await provideRun(service.url, staysOn);
  return async () => {
    if (!staysOn) await keepRun(service);
    endRun();
    restore();
    await service.stop();
  };
}

/** Writes the run to a file if a test has failed, and prints its path. Never rejects, so it cannot fail the run. */
export async function keepRun(service: mayflyInbox.StartedMayfly): Promise<void> {
  const secret = runSecret();
  if (secret === null) return;
  const failed = await failedTests(`${service.url}/api/run/${secret}`);
  if (failed === 0) return;
  const tests = failed === 1 ? '1 test' : `${failed} tests`;
  // An older service cannot.
  if (service.exportRun === undefined) return;
  // Outside the project, where git would list it as untracked.
  const file = `${process.getBuiltinModule('node:os').tmpdir()}/mayfly-run-${randomText(FILE_ID_LENGTH)}.html`;
  try {
    await service.exportRun(secret, file);
    say(`Mayfly has written what came to ${tests} that failed, and when, to ${file}`);
  } catch (error) {
    say(`Mayfly could not write what came to ${tests} that failed into a file: ${(error as Error).message}`);
  }
}

async function failedTests(url: string): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(STANDARD_CONNECT_TIMEOUT_MS) });
    const { counts } = (await answer.json()) as RunResponse;
    return counts.failed;
  } catch {
    return 0;
  }
}

/** The options, with what the client takes from the environment: the service must be of its domain and know its key. */
export function withEnvironment(options: MayflyStartOptions): MayflyStartOptions {
  const { MAYFLY_DOMAIN, MAYFLY_API_KEY } = environment;
  // An earlier start in this run has set it so for the tests. Given as a setting, it would refuse other domains.
  const isChosen = MAYFLY_DOMAIN && MAYFLY_DOMAIN !== STANDARD_DOMAIN;
  return {
    ...(isChosen && { domain: MAYFLY_DOMAIN.split(',').map((domain) => domain.trim()) }),
    ...(MAYFLY_API_KEY && { workspace: MAYFLY_API_KEY }),
    ...options,
  };
}

/** The package of the service. Rejects with what to install where it is not there. */
export async function servicePackage(): Promise<typeof mayflyInbox> {
  try {
    return await import('mayfly-inbox');
  } catch (cause) {
    const { code = '', message } = cause as { code?: string; message: string };
    if (!MISSING_PACKAGES.has(code) || !message.includes("'mayfly-inbox'")) throw cause;
    throw new MayflyError(
      'The service of Mayfly is not installed here: run "npm i -D mayfly-inbox", or set MAYFLY_URL to the address of one that runs.',
    );
  }
}
