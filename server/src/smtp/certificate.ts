import { createSecureContext } from 'node:tls';
import type { TlsIdentity } from '../tls-identity.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long the certificate is good for: longer than a process runs. */
const LIFETIME_MS = 365 * DAY_MS;

/** Somebody else's clock may be behind ours. */
const BEFORE_MS = DAY_MS;

/** Who the certificate says that it is of: a name of 64 characters at most (RFC 5280), so the host stands in subjectAltName alone. */
const NAME = 'Mayfly (self-signed)';

/** The number of a dNSName among the kinds of names (RFC 5280 section 4.2.1.6). */
const DNS_NAME = 2;

/**
 * Makes a certificate for a host that nobody vouches for, so that STARTTLS works without any set-up. `now` is in milliseconds since
 * the epoch. The library is loaded only here: that takes longer than all else that a start needs (see `own-certificate.ts`).
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
      // It is no authority, so whoever trusts it trusts it for this host alone.
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: hostname }] },
    ],
  });
  return { cert, key };
}

/** Throws, with a sentence for the operator, when a certificate and its key cannot be used. */
export function checkIdentity({ cert, key }: TlsIdentity): void {
  try {
    createSecureContext({ cert, key, ca: [] });
  } catch (cause) {
    throw new Error('The TLS certificate cannot be used: it and its key must be PEM and belong together.', { cause });
  }
}
