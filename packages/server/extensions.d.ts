import type { Log } from './src/base/log.js';
import type { Extension } from './src/extension/extension.js';
import type { SendApi } from './src/settings/kinds.js';
import type { Settings } from './src/settings/table.js';

/** Opens the extensions that the settings ask for. Rejects with a `SettingsError` where one cannot serve with them. */
export function openExtensions(
  settings: Settings,
  log: Log,
  sendApis: readonly SendApi[],
): Promise<readonly Extension[]>;

/** Makes bytes of bytes in a reading thread. `details` is what else there is to know. */
export type ExtensionTask = (bytes: Uint8Array, details: never) => ExtensionResult | Promise<ExtensionResult>;

export type ExtensionResult = readonly [found: Uint8Array, ...more: Uint8Array[]];

/** A task of an extension, by the names of both. */
export function extensionTask(extension: string, task: string): Promise<ExtensionTask>;
