import { openStore } from '../store/open-store.js';
import { type Opening, type OpenMode, type Store, UnusableStoreError } from '../store/store.js';
import { SettingsError } from './reading.js';
import type { Settings } from './table.js';

/**
 * Opens the store that the settings name, with their limits. Rejects with a sentence for the operator, which is a `SettingsError`
 * where trying again cannot help.
 */
export async function openConfiguredStore(
  settings: Settings,
  mode: OpenMode = 'create',
  warn: Opening['warn'] = () => {},
): Promise<Store> {
  const limits = {
    retentionMs: settings.retention,
    maxEmails: settings['max-emails'],
    budgetBytes: settings['store-budget'],
  };
  try {
    return await openStore(settings.store, limits, mode, { warn, replicas: settings['store-replicas'] ?? 0 });
  } catch (error) {
    throw error instanceof UnusableStoreError ? new SettingsError(error.message, { cause: error }) : error;
  }
}
