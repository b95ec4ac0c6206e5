import type { ServiceSettings } from 'mayfly-client';
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { credentials } from './credentials.js';
import { readSettings } from './service.js';
import { later, useUntil } from './ui/until.js';

const RETRY_MS = 2_000;

export interface KnownSettings extends ServiceSettings {
  /** The server's time minus this machine's, in milliseconds. */
  readonly clockOffsetMs: number;
}

/** The last answer, so that the next page shows its mail without a pause. */
let known: KnownSettings | null = null;

/** Whether the service may list the mail of all inboxes, or of all in a workspace, for this tab. */
export function mayListAll(): boolean {
  return credentials.key !== null || known?.allMail === true;
}

/** The settings of the service; null until it answers. */
export const Settings = createContext<ReturnType<typeof usePageSettings>>({ settings: null, error: null });

export const useSettings = () => useContext(Settings);

/** The settings, in what a page shows only once it has them. */
export const useKnown = () => useSettings().settings as KnownSettings;

/** Requests the settings for a page until the service answers. */
export function usePageSettings(page: string) {
  const [settings, setSettings] = useState(known);
  const [error, setError] = useState<Error | null>(null);
  useUntil([page], (signal) => {
    const ask = async () => {
      try {
        const answer = await readSettings();
        known = { ...answer, clockOffsetMs: Date.parse(answer.now) - Date.now() };
        setSettings(known);
        setError(null);
      } catch (reason) {
        setError(reason as Error);
        later(RETRY_MS, signal, ask);
      }
    };
    ask();
  });
  return { settings, error };
}
