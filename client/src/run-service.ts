// biome-ignore lint/suspicious/noTsIgnore: there is an error only in projects without the package.
/** @ts-ignore Where tests use a running service, this package may be missing; its types are `any` then. */
import type * as mayflyInbox from 'mayfly-inbox';
import { Mayfly } from './client.js';
import { environment, setEnvironment } from './environment.js';
import { MayflyError } from './errors.js';
import { reached, STARTED_VARIABLE } from './fixtures.js';
import { provideRun } from './run.js';
import { STANDARD_DOMAIN } from './settings.js';

/**
 * Options of a service that a run of tests starts: those of `startMayfly`, which are the settings of `mayfly serve` in
 * camel case.
 */
export type MayflyStartOptions = mayflyInbox.StartOptions;

const MISSING_PACKAGES = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** Ends what a set-up has begun. */
export type TearDown = () => Promise<void>;

/**
 * Sees to it that a run of tests has a service, before the first of them: starts one unless
 * `MAYFLY_URL` is set, and says by the environment where it is. Rejects with a sentence where that is not possible, or
 * where nothing answers at `MAYFLY_URL`.
 */
export async function provideService(options: MayflyStartOptions = {}): Promise<TearDown> {
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
  });
  const endRun = await provideRun(service.url);
  return async () => {
    endRun();
    restore();
    await service.stop();
  };
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
