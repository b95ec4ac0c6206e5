import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readCertificate, unusableCertificate } from '../settings/certificate-files.js';
import { messageOf } from '../settings/system-errors.js';
import type { Settings } from '../settings/table.js';
import type { TlsIdentity } from '../tls-identity.js';
import { type Finding, findings } from './finding.js';

const say = findings('certificate');

const DAY_MS = 24 * 60 * 60 * 1000;

/** Authorities renew certificates a month before their end: what is closer was not renewed. */
const SOON_DAYS = 14;

/**
 * Looks whether the certificate is one, belongs to its key, is valid now, and is of a name by which senders know the service: an
 * accepted domain, or a host that one's MX names.
 */
export async function checkCertificate(
  settings: Settings,
  mxHosts: readonly string[],
  now = Date.now(),
): Promise<Finding[]> {
  let files: TlsIdentity | null;
  try {
    files = await readCertificate(settings);
  } catch (error) {
    return [say.problem(messageOf(error))];
  }
  if (files === null) {
    return [
      say.ok(
        'None is given: STARTTLS is served with a self-signed one, which senders that verify certificates refuse.',
      ),
    ];
  }
  const certificate = parsed(files);
  if (certificate === null) return [say.problem(messageOf(unusableCertificate(settings, null)))];
  return [checkDates(certificate, now), ...checkNames(certificate, settings.domain, mxHosts)];
}

/** The certificate, where it and its key are PEM and belong together. */
function parsed({ cert, key }: TlsIdentity): X509Certificate | null {
  try {
    const certificate = new X509Certificate(cert);
    return certificate.checkPrivateKey(createPrivateKey(key)) ? certificate : null;
  } catch {
    return null;
  }
}

function checkDates({ validFrom, validTo }: X509Certificate, now: number): Finding {
  const end = Date.parse(validTo);
  const endDay = new Date(end).toISOString().slice(0, 10);
  if (now < Date.parse(validFrom)) {
    return say.problem(`It is valid only from ${validFrom} on. Use it then, or set the clock of this machine right.`);
  }
  if (now >= end) {
    return say.problem(`It has expired on ${endDay}. Renew it; the service takes the new one over without a restart.`);
  }
  const days = Math.floor((end - now) / DAY_MS);
  if (days < SOON_DAYS)
    return say.warning(`It expires on ${endDay}, in ${days} days, and was not renewed. See to its renewal.`);
  return say.ok(`It belongs to its key and is valid until ${endDay}.`);
}

function checkNames(certificate: X509Certificate, domains: readonly string[], mxHosts: readonly string[]): Finding[] {
  const names = [...domains.filter((domain) => domain !== '*'), ...mxHosts];
  if (names.length === 0 || names.some((name) => certificate.checkHost(name) !== undefined)) return [];
  return [
    say.warning(
      `It is of ${certificate.subjectAltName ?? certificate.subject ?? 'no name'}, and of none of ${names.join(', ')}. Senders that ` +
        'verify it will refuse to go on: use one of the name by which they connect.',
    ),
  ];
}
