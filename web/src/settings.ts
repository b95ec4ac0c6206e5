import type { ServiceSettings } from 'mayfly-client';
import { useEffect, useState } from 'preact/hooks';
import type { Service } from './service.js';

/** After how long the settings are asked for again when the service does not answer. */
const RETRY_MS = 2_000;

/** The settings of the service as this page knows them. */
export interface KnownSettings extends ServiceSettings {
  /** What to add to this machine's time to have the server's, in milliseconds. */
  readonly clockOffsetMs: number;
}

/** The settings of the service, or null until it has told them. */
export function useSettings(service: Service): KnownSettings | null {
  const [settings, setSettings] = useState<KnownSettings | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const ask = () =>
      service.settings().then(
        (told) => setSettings({ ...told, clockOffsetMs: Date.parse(told.now) - Date.now() }),
        () => {
          timer = setTimeout(ask, RETRY_MS);
        },
      );
    ask();
    return () => clearTimeout(timer);
  }, [service]);
  return settings;
}
