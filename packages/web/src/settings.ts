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

/** The settings of the service, as far as it has told them. */
export interface SettingsAnswer {
  /** Null until it has. */
  readonly settings: KnownSettings | null;
  /** Why it has not; it is asked again. */
  readonly error: Error | null;
}

/** Asks for the settings of the service until they have come. */
export function useSettings(service: Service): SettingsAnswer {
  const [answer, setAnswer] = useState<SettingsAnswer>({ settings: null, error: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const ask = () =>
      service.settings().then(
        (told) => {
          const settings = { ...told, clockOffsetMs: Date.parse(told.now) - Date.now() };
          setAnswer({ settings, error: null });
        },
        (error: Error) => {
          setAnswer({ settings: null, error });
          timer = setTimeout(ask, RETRY_MS);
        },
      );
    ask();
    return () => clearTimeout(timer);
  }, [service]);
  return answer;
}
