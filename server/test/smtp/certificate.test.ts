import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkIdentity, selfSigned } from '../../src/smtp/certificate.js';

const NOON = Date.UTC(2026, 0, 31, 12);

function certificateOf(hostname: string, now = NOON): X509Certificate {
  return new X509Certificate(selfSigned(hostname, now).cert);
}

test('a certificate is signed with its own key, on P-256', () => {
  const { cert, key } = selfSigned('inbox.test', NOON);
  const certificate = new X509Certificate(cert);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(() => checkIdentity({ cert, key })).not.toThrow();
});

test('it is for one host alone, as a server, and vouches for nobody', () => {
  const certificate = certificateOf('mail.inbox.test');
  expect(certificate.subjectAltName).toBe('DNS:mail.inbox.test');
  expect(certificate.checkHost('mail.inbox.test')).toBe('mail.inbox.test');
  expect(certificate.checkHost('other.inbox.test')).toBeUndefined();
  expect(certificate.ca).toBe(false);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.subject).toBe('CN=Mayfly (self-signed)');
});

test.each([
  ['of an hour', NOON, 'Jan 30 12:00:00 2026 GMT', 'Jan 31 12:00:00 2027 GMT'],
  ['whose end has a longer form', Date.UTC(2049, 5, 1), 'May 31 00:00:00 2049 GMT', 'Jun  1 00:00:00 2050 GMT'],
])('it is good from a day before until a year after the time %s', (_name, now, from, to) => {
  const { validFrom, validTo } = certificateOf('inbox.test', now);
  expect({ validFrom, validTo }).toEqual({ validFrom: from, validTo: to });
});

test.each([1, 63, 127, 128, 191, 253])('a name of %i characters is written whole', (length) => {
  const hostname = 'a'.repeat(length).replace(/a{63}a/g, (label) => `${label.slice(1)}.`);
  expect(certificateOf(hostname).subjectAltName).toBe(`DNS:${hostname}`);
});

test('every certificate has a key and a positive number of its own', () => {
  const certificates = Array.from({ length: 20 }, () => certificateOf('inbox.test'));
  expect(new Set(certificates.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }))).size).toBe(20);
  expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(20);
  for (const { serialNumber } of certificates) expect(serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
});
