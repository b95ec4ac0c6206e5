import type { ServiceSettings } from 'mayfly-client';
import { useState } from 'preact/hooks';
import { readSettings } from './service.js';
import { later, useUntil } from './ui/until.js';

const RETRY_MS = 2_000;

export interface KnownSettings extends ServiceSettings {
  /** The server's time minus this machine's, in milliseconds. */
  readonly clockOffsetMs: number;
}

interface SettingsAnswer {
  /** Null until the service has answered. */
  readonly settings: KnownSettings | null;
  readonly error: Error | null;
}

/** Requests the settings of the service until it answers. */
export function useSettings(): SettingsAnswer {
  const [answer, setAnswer] = useState<SettingsAnswer>({ settings: null, error: null });
  useUntil([], (signal) => {
    const ask = async () => {
      try {
        const settings = await readSettings();
        setAnswer({ settings: { ...settings, clockOffsetMs: Date.parse(settings.now) - Date.now() }, error: null });
      } catch (error) {
        setAnswer({ settings: null, error: error as Error });
        later(RETRY_MS, signal, ask);
      }
    };
    ask();
  });
  return answer;
}
