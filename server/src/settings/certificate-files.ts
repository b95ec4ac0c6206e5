import { readFile } from 'node:fs/promises';
import { SettingsError } from './reading.js';
import { fileError } from './system-errors.js';
import type { Settings } from './table.js';

/** What the files of `tls-cert` and `tls-key` hold. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads the certificate that the settings name; null where they name none. Rejects with a sentence for the operator where a file
 * cannot be read.
 */
export async function readCertificate(settings: Settings): Promise<CertificateFiles | null> {
  const [cert, key] = [settings['tls-cert'], settings['tls-key']];
  if (cert === null || key === null) return null;
  return { cert: await readSetting('tls-cert', cert), key: await readSetting('tls-key', key) };
}

async function readSetting(setting: 'tls-cert' | 'tls-key', file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw fileError(error, setting, file);
  }
}

/** The error for a certificate that cannot be used with its key. */
export function unusableCertificate(settings: Settings, cause: unknown): SettingsError {
  return new SettingsError(
    `--tls-cert and --tls-key: ${settings['tls-cert']} and ${settings['tls-key']} cannot be used. They must be PEM and belong together, the key without a passphrase.`,
    { cause },
  );
}
