import { constants, open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { SettingsError } from '../settings/reading.js';
import { fileError } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import { selfSigned, type TlsIdentity, withCertificate } from './certificate.js';

/** No chain or key comes near this size. Files are read again and again, whatever has replaced them. */
const MAX_BYTES = 1024 * 1024;

/** The certificate that the settings name, or null. Rejects with a sentence for the operator if it is unreadable. */
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

/** Reads a file's text. A pipe without a writer would wait forever; one without an end would fill the memory. */
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

/** The system's error for a file that cannot be PEM. */
class UnfitFileError extends Error {
  override name = 'UnfitFileError';
  readonly code: string;
  constructor(code: 'EISDIR' | 'ENOTREG' | 'EFBIG') {
    super(code);
    this.code = code;
  }
}

/** The self-signed certificate of the settings. No client can trust it, so credentials do not wait for it (D21). */
export async function ownCertificate(settings: Settings, host: string, log: Log): Promise<TlsIdentity | null> {
  if (settings.tls !== 'self-signed') return null;
  const identity = await selfSigned(host);
  log.info({ host }, 'STARTTLS is offered with a self-signed certificate, which most mail libraries reject.');
  return identity;
}

export function checkCertificate(identity: TlsIdentity, settings: Settings): void {
  try {
    withCertificate(identity, createSecureContext);
  } catch (cause) {
    throw unusableCertificate(settings, cause);
  }
}

export function unusableCertificate(settings: Settings, cause: unknown): SettingsError {
  return new SettingsError(
    `--tls-cert and --tls-key: ${settings['tls-cert']} and ${settings['tls-key']} cannot be used. Both must be PEM, the key must match the certificate and have no passphrase.`,
    { cause },
  );
}

/** How often the files are compared. Notifications miss network disks and links that move (certbot, Kubernetes). */
export const CHECK_MS = 2_000;

export interface RenewalOptions {
  readonly used: TlsIdentity;
  read(): Promise<TlsIdentity>;
  /** Uses a pair from now on. Throws a sentence if it cannot be used. */
  use(pair: TlsIdentity): void;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/**
 * Checks regularly whether a certificate was renewed, and has it used. Both files are read together; while they cannot
 * be used (one came before the other, or is half written), the previous pair stays. A fault is reported once, if it is
 * still there at the next check.
 */
export function watchCertificate({ used, read, use, clock, log }: RenewalOptions): Renewal {
  let current = used;
  let fault: string | null = null;
  let told: string | null = null;
  let cancel = () => {};
  let isStopped = false;
  let looking = Promise.resolve();

  const look = async () => {
    try {
      const pair = await read();
      if (isStopped) return;
      const isNew = pair.cert !== current.cert || pair.key !== current.key;
      if (isNew) use(pair);
      current = pair;
      fault = null;
      told = null;
      if (isNew) log.info('The TLS certificate was renewed: new connections use the new one.');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === fault && reason !== told) {
        log.warn(`The TLS certificate was not renewed; the previous one stays in use: ${reason}`);
        told = reason;
      }
      fault = reason;
    }
  };
  const schedule = () => {
    if (isStopped) return;
    cancel = clock.after(CHECK_MS, () => {
      looking = look().then(schedule);
    });
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      cancel();
      await looking;
    },
  };
}

export interface Renewal {
  /** Resolves once the running check is over; no other follows. */
  stop(): Promise<void>;
}
