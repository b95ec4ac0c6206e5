import { constants, open } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { SettingsError } from '../settings/reading.js';
import { fileError, messageOf } from '../settings/resources.js';
import { type Settings, smtpHostname } from '../settings/table.js';

/** A certificate and its key, both in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Loads Node's TLS, which a start without a certificate does not need. */
export const loadTls = () => process.getBuiltinModule('node:tls');

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a self-signed certificate is valid: longer than a process runs. */
const LIFETIME_MS = 365 * DAY_MS;

/** How long before its creation a certificate becomes valid, because a client's clock may be slow. */
const BEFORE_MS = DAY_MS;

/** The common name has at most 64 characters (RFC 5280), so only subjectAltName contains the host. */
const NAME = 'Mayfly (self-signed)';

/** The types of a dNSName and of an iPAddress (RFC 5280 section 4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** Names by which a client on the same machine reaches the host. */
const LOOPBACK_NAMES = [
  { type: DNS_NAME, value: 'localhost' },
  { type: IP_ADDRESS, ip: '127.0.0.1' },
  { type: IP_ADDRESS, ip: '::1' },
] as const;

/** Makes a self-signed certificate. Rejects with an error for the operator. Its library takes 250 ms to load. */
export async function selfSigned(hostname: string, now = Date.now()): Promise<TlsIdentity> {
  try {
    const { generate } = await import('selfsigned');
    const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }], {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      notBeforeDate: new Date(now - BEFORE_MS),
      notAfterDate: new Date(now + LIFETIME_MS),
      extensions: [
        // Not an authority, so that clients who trust this certificate trust it for this host alone.
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        { name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: hostname }, ...LOOPBACK_NAMES] },
      ],
    });
    return { cert, key };
  } catch (cause) {
    throw new Error(`--tls: a self-signed certificate could not be created for ${hostname}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/**
 * Passes `use` options for TLS 1.2 and later (RFC 8996), with one certificate for all names. Throws an error for the
 * operator if certificate and key cannot be used. `ca` is empty, because clients send no certificate. Without `ca`,
 * OpenSSL would read every authority that Node has, which takes as long as Node's own start.
 */
export function withCertificate<T>({ cert, key }: TlsIdentity, use: (options: SecureContextOptions) => T): T {
  try {
    return use({ cert, key, ca: [], minVersion: 'TLSv1.2' });
  } catch (cause) {
    throw new Error('The TLS certificate cannot be used: certificate and key must be PEM, and the key must match.', {
      cause,
    });
  }
}

/** Maximum size of a file. No chain or key is nearly this large, but another file may later be at its path. */
const MAX_BYTES = 1024 * 1024;

/** The certificate that the settings name, or null. Rejects with an error for the operator if it is unreadable. */
export async function readCertificate(settings: Settings): Promise<TlsIdentity | null> {
  const [cert, key] = [settings['tls-cert'], settings['tls-key']];
  if (cert === null || key === null) return null;
  const read = (setting: 'tls-cert' | 'tls-key', file: string) =>
    readBounded(file).catch((error) => {
      throw fileError(error, setting, file);
    });
  return { cert: await read('tls-cert', cert), key: await read('tls-key', key) };
}

/** Reads a file's text. Refuses a pipe, which might have no writer or no end, and a file that would fill the memory. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw unfit('EISDIR');
    if (!found.isFile()) throw unfit('ENOTREG');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    if (bytesRead > MAX_BYTES) throw unfit('EFBIG');
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** An error in the form of the system's, for a file that cannot contain PEM. */
const unfit = (code: string) => Object.assign(new Error(code), { code });

/**
 * `given` is the operator's checked certificate, or null. `tls` is the one that the service uses: `given`, a new
 * self-signed one, or null. No client can trust a self-signed one, so credentials are then accepted without TLS (D21).
 */
export async function certificateOf(settings: Settings, log: Log) {
  const host = smtpHostname(settings.domain);
  const given = await readCertificate(settings);
  if (given !== null) checkCertificate(given, settings);
  const own = given === null && settings.tls === 'self-signed' ? await selfSigned(host) : null;
  if (own) log.info({ host }, 'STARTTLS is offered with a self-signed certificate, which most mail libraries reject.');
  return { tls: given ?? own, given };
}

function checkCertificate(identity: TlsIdentity, settings: Settings): void {
  try {
    withCertificate(identity, loadTls().createSecureContext);
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

/** How often the files are read. `fs.watch` misses network disks and replaced symbolic links (certbot, Kubernetes). */
const CHECK_MS = 2_000;

/**
 * Checks regularly whether a certificate was renewed, and then uses it. Both files are read together; while they cannot
 * be used (for example if only one is new or complete), the previous pair stays in use. A fault is reported once, if it
 * persists at the next check. Returns a function that ends this: no check follows the one that is running.
 */
export function watchCertificate(
  settings: Settings,
  used: TlsIdentity,
  server: { useCertificate(pair: TlsIdentity): void },
  clock: Clock,
  log: Pick<Log, 'info' | 'warn'>,
) {
  let current = used;
  let fault: string | null = null;
  let faults = 0;
  let cancel = () => {};
  let isStopped = false;
  let looking = Promise.resolve();

  const look = async () => {
    try {
      const pair = (await readCertificate(settings)) as TlsIdentity;
      if (isStopped) return;
      if (pair.cert !== current.cert || pair.key !== current.key) {
        checkCertificate(pair, settings);
        server.useCertificate(pair);
        log.info('The TLS certificate was renewed: new connections use the new one.');
      }
      current = pair;
      fault = null;
    } catch (error) {
      const reason = messageOf(error);
      faults = reason === fault ? faults + 1 : 1;
      fault = reason;
      if (faults === 2) log.warn(`The TLS certificate was not renewed; the previous one stays in use: ${reason}`);
    }
  };
  const schedule = () => {
    if (isStopped) return;
    cancel = clock.after(CHECK_MS, () => {
      looking = look().then(schedule);
    });
  };
  schedule();
  return async (): Promise<void> => {
    isStopped = true;
    cancel();
    await looking;
  };
}
