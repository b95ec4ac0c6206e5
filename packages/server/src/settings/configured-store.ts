import { type OpenedStore, openStore } from '../store/open-store.js';
import { type Opening, type OpenMode, UnusableStoreError } from '../store/store.js';
import { SettingsError } from './reading.js';
import type { Settings } from './table.js';

/** Opens the settings' store with their limits. Rejects with a sentence: a `SettingsError` if a retry cannot help. */
export async function openConfiguredStore(
  settings: Settings,
  mode: OpenMode = 'create',
  warn: Opening['warn'] = () => {},
): Promise<OpenedStore> {
  const limits = {
    retentionMs: settings.retention,
    maxEmails: settings['max-emails'],
    budgetBytes: settings['store-budget'],
  };
  const replicas = settings['store-replicas'] ?? 0;
  const onDisk = settings['store-replicas-on-disk'];
  try {
    return await openStore(settings.store, limits, mode, { warn, replicas, onDisk });
  } catch (error) {
    throw error instanceof UnusableStoreError ? new SettingsError(error.message, { cause: error }) : error;
  }
}
