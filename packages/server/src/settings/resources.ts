import { createServer, type Server } from 'node:net';
import { PROGRAM } from '../own-package.js';
import { openStore } from '../store/open-store.js';
import { type OpenMode, UnusableStoreError } from '../store/store.js';
import type { ListenAddress } from './kinds.js';
import { SettingsError } from './reading.js';
import type { SettingName, Settings } from './table.js';

export { checkLmdb } from '../store/open-store.js';

// Checks of files and addresses that the settings name, with sentences for the operator if one cannot be used.

const FILE_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'part of its path is not a folder',
  EISDIR: 'it is a folder',
  ENOTREG: 'it is not a regular file',
  EFBIG: 'it is larger than 1 MiB',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its symbolic links form a loop',
};

const OUT_OF_FILES = new Set(['EMFILE', 'ENFILE']);

const OUT_OF_FILES_SENTENCE =
  'No more files can be opened: raise the limit on open files (such as "ulimit -n 65536") and start again.';

type FileSetting = { [N in SettingName]: Settings[N] extends string | null ? N : never }[SettingName];

/** An error's message; if the process has no descriptors left, how to fix that. */
export function messageOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return OUT_OF_FILES.has(code) ? OUT_OF_FILES_SENTENCE : message;
}

export function whyUnreadable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return FILE_REASONS[code] ?? message;
}

/** An error with a sentence for a setting's unreadable file: a `SettingsError` if a retry cannot help. */
export function fileError(error: unknown, setting: FileSetting, path: string): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (OUT_OF_FILES.has(code)) return error as Error;
  const sentence = `--${setting}: ${path} cannot be read: ${whyUnreadable(error)}. Use a PEM file that this user may read.`;
  return new (FILE_REASONS[code] === undefined ? Error : SettingsError)(sentence, { cause: error });
}

export type ListenSetting = 'http-port' | 'smtp-port' | 'smtps-port' | 'metrics';

/** For an unusable address, an error with a sentence (a `SettingsError` if a retry cannot help); else `error`. */
export function listenError(error: unknown, setting: ListenSetting, settings: Settings): unknown {
  const { host, port } = (setting === 'metrics' ? settings.metrics : null) ?? {
    host: settings.host,
    port: settings[setting],
  };
  const hostSetting = setting === 'metrics' ? setting : 'host';
  const { code = '' } = error as NodeJS.ErrnoException;
  const denied = `--${setting}: this user may not listen on port ${port}. Allow ${PROGRAM.name} to bind low ports (sudo setcap cap_net_bind_service=+ep "$(readlink -f "$(command -v ${PROGRAM.file})")"), or choose a port of 1024 or higher.`;
  const sentence = {
    EADDRINUSE: `--${setting}: port ${port} of ${host} is in use by another program. Stop that program, or choose another port.`,
    EAI_AGAIN: `--${hostSetting}: DNS lookup of ${host} failed. Use an IP address, or try again when DNS responds.`,
    EACCES: denied,
    EPERM: denied,
    EADDRNOTAVAIL: `--${hostSetting}: ${host} is not an address of this machine. Use one that is: 127.0.0.1 for local access only, or 0.0.0.0 for all addresses.`,
    EAFNOSUPPORT: `--${hostSetting}: this machine does not support the address family of ${host}. Use another address.`,
    ENOTFOUND: `--${hostSetting}: the host name ${host} does not resolve. Use an IP address, or a name that resolves.`,
  }[code];
  if (sentence === undefined) return error;
  const mayPass = code === 'EADDRINUSE' || code === 'EAI_AGAIN';
  return new (mayPass ? Error : SettingsError)(sentence, { cause: error });
}

export interface WantedPort extends ListenAddress {
  readonly setting: ListenSetting;
}

export function wantedPorts({ host, metrics, ...settings }: Settings): WantedPort[] {
  const ports = (['smtp-port', 'http-port', 'smtps-port'] as const).flatMap((setting) => {
    const port = settings[setting];
    return port === null ? [] : { setting, host, port };
  });
  return metrics === null ? ports : [...ports, { setting: 'metrics', ...metrics }];
}

/** Listens briefly on every port; rejects as the start would. Runs first, so that a failed start adds no folder. */
export async function checkPortsAreFree(settings: Settings): Promise<void> {
  const held: Server[] = [];
  try {
    for (const { setting, host, port } of wantedPorts(settings).reverse()) {
      held.push(
        await listening(host, port).catch((error) => {
          throw listenError(error, setting, settings);
        }),
      );
    }
  } finally {
    for (const server of held) server.close();
  }
}

/** Opens a server that closes every connection. Rejects with the system's error. */
export function listening(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => resolve(server));
  });
}

/** Opens the configured store. Rejects with an error for the operator: a `SettingsError` if a retry cannot help. */
export async function openConfiguredStore(settings: Settings, mode: OpenMode, warn = (_sentence: string) => {}) {
  const limits = {
    retentionMs: settings.retention,
    maxEmails: settings['max-emails'],
    budgetBytes: settings['store-quota'],
  };
  const replicas = settings['store-replicas'] ?? 0;
  const onDisk = settings['store-replicas-on-disk'];
  try {
    return await openStore(settings.store, limits, mode, { warn, replicas, onDisk });
  } catch (error) {
    throw error instanceof UnusableStoreError ? new SettingsError(error.message, { cause: error }) : error;
  }
}
