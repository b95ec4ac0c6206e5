import { openLog } from './base/log.js';
import { type RunningService, startService } from './service.js';
import type { SendApi } from './settings/kinds.js';
import { SettingsError } from './settings/reading.js';
import { sendingTo, servedSendApis } from './settings/send-apis.js';
import { inOptions, readStartOptions, type StartOptions } from './settings/start-options.js';
import { firstDomain, type Settings } from './settings/table.js';

export { SettingsError };

export interface StartedMayfly {
  /** Base address of the HTTP interface, and of the inbox page. */
  readonly url: string;
  readonly smtp: { readonly host: string; readonly port: number };
  /** Where the metrics are; null where the option `metrics` was not given. */
  readonly metricsUrl: string | null;
  /** The domain of the inboxes, the first where there are several. */
  readonly domain: string;
  /**
   * For each provider whose send API is served, the environment variables for an application that sends with its SDK:
   * `spawn('npm', ['start'], { env: { ...process.env, ...sending.resend } })`.
   */
  readonly sending: { readonly [provider in SendApi]?: Readonly<Record<string, string>> };
  /** Ends the service: mail that is coming in is stored and answered first. Calling it again is fine. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a service in this process, on free ports and in memory unless told otherwise. It reads no environment and
 * writes no log, and several may run at once. Rejects with a `SettingsError`, whose message is a sentence, for an
 * option that does not exist or is not valid, and with an `Error` where trying again may help, as where a port is
 * taken.
 */
export async function startMayfly(options: StartOptions = {}): Promise<StartedMayfly> {
  const settings = readStartOptions(options);
  const service = await started(settings);
  service.warmUp();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop();
    return stopped;
  };
  return {
    url: service.http,
    smtp: addressOf(service),
    metricsUrl: service.metrics,
    domain: firstDomain(settings.domain),
    sending: sendingTo(service.http, servedSendApis(settings)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Throws what `startMayfly` would reject with for options that do not exist or are not valid; starts nothing. */
export function checkStartOptions(options: StartOptions): void {
  readStartOptions(options);
}

async function started(settings: Settings): Promise<RunningService> {
  try {
    return await startService(settings, openLog(settings['log-level'], settings['log-format']));
  } catch (error) {
    throw inOptions(error);
  }
}

function addressOf({ smtp }: RunningService): StartedMayfly['smtp'] {
  const colon = smtp.lastIndexOf(':');
  return { host: smtp.slice(0, colon).replace(/[[\]]/g, ''), port: Number(smtp.slice(colon + 1)) };
}
