import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { secureContextOf, selfSigned } from '../../src/tls/certificate.js';

const NOON = Date.UTC(2026, 0, 31, 12);

async function certificateOf(hostname: string, now = NOON): Promise<X509Certificate> {
  return new X509Certificate((await selfSigned(hostname, now)).cert);
}

test('a certificate is signed with its own key, on P-256', async () => {
  const { cert, key } = await selfSigned('inbox.example.com', NOON);
  const certificate = new X509Certificate(cert);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(() => secureContextOf({ cert, key })).not.toThrow();
});

test('it is for one host and the loopback names alone, as a server, and vouches for nobody', async () => {
  const certificate = await certificateOf('mail.inbox.example.com');
  expect(certificate.subjectAltName).toMatch(/^DNS:mail\.inbox\.example\.com, /);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  for (const address of ['127.0.0.1', '::1']) expect(certificate.checkIP(address)).toBe(address);
  expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  expect(certificate.checkHost('mail.inbox.example.com')).toBe('mail.inbox.example.com');
  expect(certificate.checkHost('other.inbox.example.com')).toBeUndefined();
  expect(certificate.ca).toBe(false);
  // basicConstraints, critical, of which nothing is said (RFC 5280 section 4.2.1.9).
  expect(certificate.raw.includes(Buffer.from('0603551d130101ff04023000', 'hex'))).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.subject).toBe('CN=Mayfly (self-signed)');
});

test('it is good from a day before until a year after', async () => {
  const { validFrom, validTo } = await certificateOf('inbox.example.com');
  expect({ validFrom, validTo }).toEqual({
    validFrom: 'Jan 30 12:00:00 2026 GMT',
    validTo: 'Jan 31 12:00:00 2027 GMT',
  });
});

test('the longest name of a host is written whole', async () => {
  const hostname = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
  expect((await certificateOf(hostname)).checkHost(hostname)).toBe(hostname);
});

test('one that cannot be made is a sentence for the operator', async () => {
  // The library takes every text for a name, but nothing else.
  const noName = null as unknown as string;
  await expect(selfSigned(noName, NOON)).rejects.toThrow(
    /^--tls: a self-signed certificate could not be made for null: ./,
  );
});
