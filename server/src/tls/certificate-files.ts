import { constants, open } from 'node:fs/promises';
import { SettingsError } from '../settings/reading.js';
import { fileError } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import type { TlsIdentity } from './certificate.js';

/** No chain and no key comes near to this. The files are read again and again, whatever has been put in their place. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the certificate that the settings name; null where they name none. Rejects with a sentence for the operator where a file
 * cannot be read.
 */
export async function readCertificate(settings: Settings): Promise<TlsIdentity | null> {
  const [cert, key] = [settings['tls-cert'], settings['tls-key']];
  if (cert === null || key === null) return null;
  return { cert: await readSetting('tls-cert', cert), key: await readSetting('tls-key', key) };
}

async function readSetting(setting: 'tls-cert' | 'tls-key', file: string): Promise<string> {
  try {
    return await readBounded(file);
  } catch (error) {
    throw fileError(error, setting, file);
  }
}

/** The text of a file. A pipe to which nobody writes would be waited for without end, and one that has no end would fill the memory. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw new UnfitFileError('EISDIR');
    if (!found.isFile()) throw new UnfitFileError('ENOTREG');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    if (bytesRead > MAX_BYTES) throw new UnfitFileError('EFBIG');
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What the system would say of a file that cannot be one of PEM. */
class UnfitFileError extends Error {
  override name = 'UnfitFileError';
  readonly code: string;
  constructor(code: 'EISDIR' | 'ENOTREG' | 'EFBIG') {
    super(code);
    this.code = code;
  }
}

export function unusableCertificate(settings: Settings, cause: unknown): SettingsError {
  return new SettingsError(
    `--tls-cert and --tls-key: ${settings['tls-cert']} and ${settings['tls-key']} cannot be used. Both must be PEM, the key must match the certificate and have no passphrase.`,
    { cause },
  );
}
