import { openLog } from './base/log.js';
import { loadPlugins, sendingTo } from './plugin/installed.js';
import { type RunningService, startService } from './service.js';
import { SettingsError } from './settings/reading.js';
import { inOptions, pluginsGiven, readStartOptions, type StartOptions } from './settings/start-options.js';
import { firstDomain, type Settings } from './settings/table.js';

export type ServiceNews =
  | { readonly ready: ReturnType<typeof placesOf> }
  | { readonly message: string; readonly isSetting: boolean; readonly code: string | undefined };

/** The process that `startMayfly` starts. It receives the options, and ends with the process that sent them. */
export function run(): void {
  let service: RunningService | undefined;
  process.once('message', async (options: StartOptions) => {
    try {
      await loadPlugins(pluginsGiven(options));
      const settings = readStartOptions(options);
      service = await startService(settings, openLog(settings['log-level'], settings['log-format']));
      tell({ ready: placesOf(service, settings) });
      service.prepare();
    } catch (error) {
      const { message, cause } = inOptions(error) as Error;
      const { code } = (cause ?? {}) as NodeJS.ErrnoException;
      tell({ message, isSetting: error instanceof SettingsError, code });
    }
  });
  const end = async () => {
    await service?.stop();
    process.exit();
  };
  // Emitted when the parent closes the channel, or when the parent has died and the system closes it.
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // Ignored: a terminal sends these signals to all of its processes, and the parent decides how to react.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
}

function placesOf({ http: url, smtp, smtps, metrics: metricsUrl }: RunningService, settings: Settings) {
  return { url, smtp, smtps, metricsUrl, domain: firstDomain(settings.domain), sending: sendingTo(url, settings) };
}

function tell(news: ServiceNews): void {
  // Ignores errors, because the parent may be gone.
  process.send?.(news, () => {});
}
