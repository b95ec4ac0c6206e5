import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import * as der from './der.js';

/** A certificate with its key, both in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long the certificate is good for: longer than a process runs. */
const LIFETIME_MS = 365 * DAY_MS;

/** Somebody else's clock may be behind ours. */
const BEFORE_MS = DAY_MS;

/** RFC 5280 section 4.1.2.2: positive, and nobody should be able to guess it. */
const SERIAL_BYTES = 16;

const OIDS = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  subjectAltName: '2.5.29.17',
} as const;

/** Version 3, the one that has extensions. It is counted from 0. */
const VERSION = 2;

/** The first bit of keyUsage; in the bit string, seven more are left over. */
const DIGITAL_SIGNATURE = 0x80;
const UNUSED_BITS = 7;

/** Tags of the choices in a certificate: [0] is its version, [3] holds its extensions, and a dNSName is [2] (RFC 5280). */
const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const DNS_NAME_TAG = 0x82;

/** Who the certificate says that it was made by, and for: the host itself stands in subjectAltName, where clients look. */
const NAME = 'Mayfly (self-signed)';

/**
 * Makes a certificate for a host that nobody vouches for, so that STARTTLS works without any set-up (RFC 5280, with a key on
 * P-256). It lives as long as the process. `now` is in milliseconds since the epoch. It is written here by hand: the library
 * for it took longer to load than everything else that a start needs.
 */
export function selfSigned(hostname: string, now = Date.now()): TlsIdentity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = certificateContent(hostname, publicKey, now);
  const signature = sign('sha256', content, privateKey);
  const certificate = der.sequence(content, algorithm(), der.bitString(signature));
  return { cert: pem('CERTIFICATE', certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

/** Throws, with a sentence for the operator, when a certificate and its key cannot be used. */
export function checkIdentity({ cert, key }: TlsIdentity): void {
  try {
    createSecureContext({ cert, key, ca: [] });
  } catch (cause) {
    throw new Error('The TLS certificate cannot be used: it and its key must be PEM and belong together.', { cause });
  }
}

/** What is signed: the TBSCertificate. */
function certificateContent(hostname: string, publicKey: KeyObject, now: number): Buffer {
  const serial = randomBytes(SERIAL_BYTES);
  // Neither negative nor with a leading zero, so that the number has one form alone.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const name = der.sequence(der.set(der.sequence(der.oid(OIDS.commonName), der.text(NAME))));
  return der.sequence(
    der.tagged(VERSION_TAG, der.integer(Buffer.of(VERSION))),
    der.integer(serial),
    algorithm(),
    name,
    der.sequence(der.time(now - BEFORE_MS), der.time(now + LIFETIME_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(EXTENSIONS_TAG, extensions(hostname)),
  );
}

function extensions(hostname: string): Buffer {
  return der.sequence(
    // Nothing in it says that it is an authority, so whoever trusts it trusts it for this host alone.
    extension(OIDS.basicConstraints, true, der.sequence()),
    extension(OIDS.keyUsage, true, der.bitString(Buffer.of(DIGITAL_SIGNATURE), UNUSED_BITS)),
    extension(OIDS.extendedKeyUsage, false, der.sequence(der.oid(OIDS.serverAuth))),
    extension(OIDS.subjectAltName, false, der.sequence(der.tagged(DNS_NAME_TAG, Buffer.from(hostname, 'latin1')))),
  );
}

/** RFC 5280 section 4.2: one that a reader does not know is only passed over where it is not critical. */
function extension(name: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der.yes] : [];
  return der.sequence(der.oid(name), ...critical, der.octets(value));
}

function algorithm(): Buffer {
  return der.sequence(der.oid(OIDS.ecdsaWithSha256));
}

/** RFC 7468. */
function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
