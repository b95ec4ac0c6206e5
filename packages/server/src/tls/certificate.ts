import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import { SettingsError } from '../settings/reading.js';
import { fileError, messageOf } from '../settings/resources.js';
import { type Settings, smtpHostname } from '../settings/table.js';

/** Both in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Longer than a process runs. */
const LIFETIME_MS = 365 * DAY_MS;

/** A client's clock may be slow. */
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

/**
 * Makes a self-signed certificate for a host, so that STARTTLS works without set-up. `now` is in milliseconds since the
 * epoch. Loads the library only here: that takes a quarter of a second.
 */
export async function selfSigned(hostname: string, now = Date.now()): Promise<TlsIdentity> {
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - BEFORE_MS),
    notAfterDate: new Date(now + LIFETIME_MS),
    extensions: [
      // Not an authority: a client that trusts it trusts it for this host alone.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: hostname }, ...LOOPBACK_NAMES] },
    ],
  });
  return { cert, key };
}

/**
 * TLS 1.2 and later (RFC 8996), with one certificate for all names. Clients send no certificate, so no authority is
 * needed: without the empty list, OpenSSL would read every authority that Node has, which takes as long as Node's own
 * start.
 */
export function tlsOptions({ cert, key }: TlsIdentity): SecureContextOptions {
  return { cert, key, ca: [], minVersion: 'TLSv1.2' };
}

/** No chain or key is nearly this large. Files are read repeatedly, whatever has replaced them. */
const MAX_BYTES = 1024 * 1024;

/** The checked certificate that the settings name, or null. Rejects with a sentence for the operator. */
export async function readCertificate(settings: Settings): Promise<TlsIdentity | null> {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = settings;
  if (certFile === null || keyFile === null) return null;
  const read = (setting: 'tls-cert' | 'tls-key', file: string) =>
    readBounded(file).catch((error) => {
      throw fileError(error, setting, file);
    });
  const identity = { cert: await read('tls-cert', certFile), key: await read('tls-key', keyFile) };
  try {
    createSecureContext(tlsOptions(identity));
    return identity;
  } catch (cause) {
    throw new SettingsError(
      `--tls-cert and --tls-key: ${certFile} and ${keyFile} cannot be used. Both must be PEM, the key must match the certificate and have no passphrase.`,
      { cause },
    );
  }
}

/** Reads a file's text. A pipe without a writer would wait forever; one without an end would fill the memory. */
async function readBounded(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw unfit(found.isDirectory() ? 'EISDIR' : 'ENOTREG');
  if (found.size > MAX_BYTES) throw unfit('EFBIG');
  return readFile(path, 'utf8');
}

/** The system's error for a file that cannot be PEM. */
function unfit(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * The certificate to use, and the one that the operator gave. A self-signed one is made here: no client can trust it,
 * so credentials do not wait for it (D21).
 */
export async function certificateOf(settings: Settings, log: Log) {
  const host = smtpHostname(settings.domain);
  const given = await readCertificate(settings);
  if (given !== null && isSelfSigned(given)) {
    log.warn(
      '--tls-cert: the certificate is self-signed, and mail libraries that do not trust it refuse to send. Use a trusted certificate, or omit it.',
    );
  }
  const own = given === null && settings.tls === 'self-signed' ? await selfSigned(host) : null;
  if (own) log.info({ host }, 'STARTTLS is offered with a self-signed certificate, which most mail libraries reject.');
  return { tls: given ?? own, given };
}

/** Whether the first certificate of the chain is self-signed. */
function isSelfSigned({ cert }: TlsIdentity): boolean {
  const certificate = new X509Certificate(cert);
  return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
}

/** How often the files are compared. Notifications miss network disks and links that move (certbot, Kubernetes). */
const CHECK_MS = 2_000;

/**
 * Checks regularly whether a certificate was renewed, and then uses it. Both files are read together; while they cannot
 * be used (for example if only one is new or complete), the previous pair stays in use. A fault is reported once, if it
 * persists at the next check. After `stop`, no check follows the one that is running.
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
      const isNew = pair.cert !== current.cert || pair.key !== current.key;
      if (isNew) {
        server.useCertificate(pair);
        log.info('The TLS certificate was renewed: new connections use the new one.');
      }
      current = pair;
      fault = null;
    } catch (error) {
      const reason = messageOf(error);
      faults = reason === fault ? faults + 1 : 1;
      fault = reason;
      if (faults !== 2) return;
      log.warn(`The TLS certificate was not renewed; the previous one stays in use: ${reason}`);
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
