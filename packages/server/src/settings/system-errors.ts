import type { ListenAddress } from './kinds.js';
import { SettingsError } from './reading.js';
import type { SettingName, Settings } from './table.js';

/** Why a file cannot be read, by the system's code. */
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

/** No file descriptors left, for this process or the system. */
const OUT_OF_FILES = new Set(['EMFILE', 'ENFILE']);

const OUT_OF_FILES_SENTENCE =
  'No more files can be opened: raise the limit on open files (such as "ulimit -n 65536") and start again.';

type FileSetting = { [N in SettingName]: Settings[N] extends string | null ? N : never }[SettingName];

/** An error's message; if no file can be opened any more, what to do about it. */
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
  return FILE_REASONS[code] === undefined
    ? new Error(sentence, { cause: error })
    : new SettingsError(sentence, { cause: error });
}

export type ListenSetting = 'http-port' | 'smtp-port' | 'smtps-port' | 'metrics';

/** A sentence for an address that cannot be listened on: a `SettingsError` if a retry cannot help. Else the error. */
export function listenError(error: unknown, setting: ListenSetting, settings: Settings): unknown {
  const { host, port } = listenAddress(setting, settings);
  const hostSetting = setting === 'metrics' ? setting : 'host';
  const retry = (sentence: string) => new Error(sentence, { cause: error });
  const fix = (sentence: string) => new SettingsError(sentence, { cause: error });
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return retry(
        `--${setting}: port ${port} of ${host} is in use by another program. Stop that program, or choose another port.`,
      );
    case 'EACCES':
    case 'EPERM':
      return fix(
        `--${setting}: this user may not listen on port ${port}. Allow Node to bind low ports (sudo setcap cap_net_bind_service=+ep "$(readlink -f "$(command -v node)")"), ` +
          'or choose a port of 1024 or higher.',
      );
    case 'EADDRNOTAVAIL':
      return fix(
        `--${hostSetting}: ${host} is not an address of this machine. Use one that is: 127.0.0.1 for local access only, or 0.0.0.0 for all addresses.`,
      );
    case 'EAFNOSUPPORT':
      return fix(`--${hostSetting}: this machine does not support the address family of ${host}. Use another address.`);
    case 'ENOTFOUND':
      return fix(
        `--${hostSetting}: the host name ${host} does not resolve. Use an IP address, or a name that resolves.`,
      );
    case 'EAI_AGAIN':
      return retry(
        `--${hostSetting}: DNS lookup of ${host} failed. Use an IP address, or try again when DNS responds.`,
      );
    default:
      return error;
  }
}

function listenAddress(setting: ListenSetting, settings: Settings): ListenAddress {
  if (setting !== 'metrics') return { host: settings.host, port: settings[setting] ?? 0 };
  return settings.metrics ?? { host: settings.host, port: 0 };
}
