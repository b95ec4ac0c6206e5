import { openLog } from './base/log.js';
import { loadPlugins, sendingTo } from './plugin/installed.js';
import { type RunningService, startService } from './service.js';
import { SettingsError } from './settings/reading.js';
import { inOptions, pluginsGiven, readStartOptions, type StartOptions } from './settings/start-options.js';
import { firstDomain, type Settings } from './settings/table.js';

/** What the process tells: where the service listens, or why it could not start. */
export type ServiceNews =
  | { readonly ready: ReturnType<typeof placesOf> }
  | { readonly message: string; readonly isSetting: boolean; readonly code: string | undefined };

/** A process that `startMayfly` has started: it is sent the options, and ends when the process that sent them does. */
export function run(): void {
  let service: RunningService | undefined;
  process.once('message', async (options: StartOptions) => {
    try {
      service = await started(options);
    } catch (error) {
      tell(failure(error));
    }
  });
  const end = async () => {
    await service?.stop();
    process.exit();
  };
  // Closed by the other process or, where that has died, by the system.
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // They come to all processes of a terminal: the one that started this one decides what they mean.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}

async function started(options: StartOptions): Promise<RunningService> {
  await loadPlugins(pluginsGiven(options));
  const settings = readStartOptions(options);
  const service = await startService(settings, openLog(settings['log-level'], settings['log-format']));
  tell({ ready: placesOf(service, settings) });
  service.prepare();
  return service;
}

function placesOf(service: RunningService, settings: Settings) {
  return {
    url: service.http,
    smtp: service.smtp,
    smtps: service.smtps,
    metricsUrl: service.metrics,
    domain: firstDomain(settings.domain),
    sending: sendingTo(service.http, settings),
  };
}

function failure(error: unknown): ServiceNews {
  const { message, cause } = inOptions(error) as Error;
  return {
    message,
    isSetting: error instanceof SettingsError,
    code: (cause as NodeJS.ErrnoException | undefined)?.code,
  };
}

function tell(news: ServiceNews): void {
  // The other process may be gone.
  process.send?.(news, () => {});
}
