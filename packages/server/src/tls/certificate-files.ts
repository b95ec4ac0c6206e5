import { constants, open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { SettingsError } from '../settings/reading.js';
import { fileError, messageOf } from '../settings/resources.js';
import { type Settings, smtpHostname } from '../settings/table.js';
import { selfSigned, type TlsIdentity, warnIfSelfSigned, withCertificate } from './certificate.js';

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

/**
 * The certificate of the settings, checked, and the one that the operator gave. A self-signed one is made here: no
 * client can trust it, so credentials do not wait for it (D21).
 */
export async function certificateOf(settings: Settings, log: Log) {
  const host = smtpHostname(settings.domain);
  const given = await readCertificate(settings);
  if (given !== null) {
    checkCertificate(given, settings);
    warnIfSelfSigned(given, log);
  }
  const own = given === null && settings.tls === 'self-signed' ? await selfSigned(host) : null;
  if (own) log.info({ host }, 'STARTTLS is offered with a self-signed certificate, which most mail libraries reject.');
  return { tls: given ?? own, given };
}

function checkCertificate(identity: TlsIdentity, settings: Settings): void {
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
const CHECK_MS = 2_000;

/** Throws a sentence if it cannot use the pair. */
interface Secured {
  useCertificate(pair: TlsIdentity): void;
}

/**
 * Checks regularly whether a certificate was renewed, and has it used. Both files are read together; while they cannot
 * be used (one came before the other, or is half written), the previous pair stays. A fault is reported once, if it is
 * still there at the next check. After `stop`, no other check follows the one that is running.
 */
export function watchCertificate(
  settings: Settings,
  used: TlsIdentity,
  server: Secured,
  clock: Clock,
  log: Pick<Log, 'info' | 'warn'>,
) {
  let current = used;
  let fault: string | null = null;
  let told: string | null = null;
  let cancel = () => {};
  let isStopped = false;
  let looking = Promise.resolve();

  const look = async () => {
    try {
      const pair = (await readCertificate(settings)) as TlsIdentity;
      if (isStopped) return;
      const isNew = pair.cert !== current.cert || pair.key !== current.key;
      if (isNew) {
        checkCertificate(pair, settings);
        server.useCertificate(pair);
        log.info('The TLS certificate was renewed: new connections use the new one.');
      }
      current = pair;
      fault = null;
      told = null;
    } catch (error) {
      const reason = messageOf(error);
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
