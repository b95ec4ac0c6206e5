import type { ServiceSettings } from 'mayfly-client';
import { useState } from 'preact/hooks';
import type { Service } from './service.js';
import { later, useUntil } from './ui/until.js';

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
  useUntil([service], (signal) => {
    const ask = () =>
      service.settings().then(
        (told) => {
          const settings = { ...told, clockOffsetMs: Date.parse(told.now) - Date.now() };
          setAnswer({ settings, error: null });
        },
        (error: Error) => {
          setAnswer({ settings: null, error });
          later(RETRY_MS, signal, ask);
        },
      );
    ask();
  });
  return answer;
}
