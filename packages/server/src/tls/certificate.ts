import { X509Certificate } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/** Both in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Longer than a process runs. */
const LIFETIME_MS = 365 * DAY_MS;

/** A client's clock may be behind ours. */
const BEFORE_MS = DAY_MS;

/** The common name. It has at most 64 characters (RFC 5280), so the host stands in subjectAltName alone. */
const NAME = 'Mayfly (self-signed)';

/** The types of a dNSName and of an iPAddress (RFC 5280 section 4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** What a client on the same machine calls the host. */
const LOOPBACK_NAMES = [
  { type: DNS_NAME, value: 'localhost' },
  { type: IP_ADDRESS, ip: '127.0.0.1' },
  { type: IP_ADDRESS, ip: '::1' },
] as const;

/**
 * Makes a self-signed certificate for a host, so that STARTTLS works without set-up. `now` is in milliseconds since the
 * epoch. Rejects with a sentence for the operator. Loads the library only here: that takes a quarter of a second.
 */
export async function selfSigned(hostname: string, now = Date.now()): Promise<TlsIdentity> {
  try {
    return await generated(hostname, now);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`--tls: a self-signed certificate could not be made for ${hostname}: ${reason}`, { cause });
  }
}

async function generated(hostname: string, now: number): Promise<TlsIdentity> {
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - BEFORE_MS),
    notAfterDate: new Date(now + LIFETIME_MS),
    extensions: [
      // No authority: a client that trusts it trusts it for this host alone.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: hostname }, ...LOOPBACK_NAMES] },
    ],
  });
  return { cert, key };
}

/** Warns if the first certificate of the chain is self-signed: most mail libraries refuse it. */
export function warnIfSelfSigned({ cert }: TlsIdentity, log: { warn(message: string): void }): void {
  const certificate = new X509Certificate(cert);
  if (!certificate.checkIssued(certificate) || !certificate.verify(certificate.publicKey)) return;
  log.warn(
    '--tls-cert: the certificate is self-signed, and mail libraries that do not trust it refuse to send. Use a trusted certificate, or omit it.',
  );
}

/**
 * Makes something of a certificate: TLS 1.2 and later (RFC 8996), with one certificate for all names. Throws a sentence
 * for the operator if the pair cannot be used. Clients show no certificate, so no authority is needed: without the empty
 * list, OpenSSL would read every authority that Node knows, which takes as long as Node's own start.
 */
export function withCertificate<T>({ cert, key }: TlsIdentity, use: (options: SecureContextOptions) => T): T {
  try {
    return use({ cert, key, ca: [], minVersion: 'TLSv1.2' });
  } catch (cause) {
    throw new Error('The TLS certificate cannot be used: both it and its key must be PEM, and the key must match.', {
      cause,
    });
  }
}
