import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import { connect, createSecureContext, TLSSocket } from 'node:tls';
import { messageOf } from '../settings/resources.js';
import type { Settings } from '../settings/table.js';
import { readCertificate, type TlsIdentity, unusableCertificate } from '../tls/certificate.js';
import { counted, type Finding, findings } from './finding.js';

const say = findings('certificate');

const DAY_MS = 24 * 60 * 60 * 1000;

/** Certificates are renewed a month before they expire. If fewer days than this remain, a renewal has failed. */
const SOON_DAYS = 14;

/** Checks that the certificate is valid now, matches its key, and names a domain or MX host that senders use. */
export async function checkCertificate(settings: Settings, mxHosts: readonly string[], now = Date.now()) {
  try {
    const files = await readCertificate(settings);
    if (files === null) return [withoutFiles(settings)];
    const certificate = parsed(files);
    if (certificate === null) throw unusableCertificate(settings, null);
    return [checkDates(certificate, now), ...checkNames(certificate, settings.domain, mxHosts)];
  } catch (error) {
    return [say.problem`${messageOf(error)}`];
  }
}

function withoutFiles({ tls }: Settings): Finding {
  return tls === 'off'
    ? say.ok`No certificate is configured, so STARTTLS is not offered. Senders that require it cannot send; all others can.`
    : say.warning`The certificate is self-signed. Mail libraries use STARTTLS whenever it is offered, and most reject such a certificate. Omit --tls self-signed, or provide a trusted certificate with --tls-cert.`;
}

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
  const days = Math.floor((end - now) / DAY_MS);
  if (now < Date.parse(validFrom))
    return say.problem`The certificate is not valid before ${validFrom}. Wait until then, or correct the clock of this machine.`;
  if (now >= end)
    return say.problem`The certificate expired on ${endDay}. Renew it; the service loads the new one without a restart.`;
  if (days < SOON_DAYS)
    return say.warning`The certificate expires on ${endDay}, in ${counted(days, 'day')}, and was not renewed. Check its renewal.`;
  return say.ok`The certificate matches its key and is valid until ${endDay}.`;
}

function checkNames(certificate: X509Certificate, domains: readonly string[], mxHosts: readonly string[]): Finding[] {
  const names = [...domains.filter((domain) => domain !== '*'), ...mxHosts];
  if (names.length === 0 || names.some((name) => certificate.checkHost(name) !== undefined)) return [];
  const { subjectAltName, subject } = certificate;
  const issuedFor = subjectAltName?.replace(/\b(?:DNS|IP Address):/g, '') ?? subject ?? 'no name';
  return [
    say.warning`The certificate is issued for ${issuedFor}, not for ${names.join(', ')}. Use a certificate for the host name that senders connect to.`,
  ];
}

const CHAIN_IS_CUT =
  'the intermediate certificates are missing, or the authority is your own. --tls-cert takes the whole chain, which certbot calls fullchain.pem';

/** Why a verifying client refuses a certificate, by OpenSSL's code. Dates and names are checked elsewhere. */
const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends with an authority that Node does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CHAIN_IS_CUT,
  UNABLE_TO_GET_ISSUER_CERT: CHAIN_IS_CUT,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CHAIN_IS_CUT,
};

/** Checks whether the chain of the certificate leads to an authority of Node or of NODE_EXTRA_CA_CERTS. */
export async function checkTrust(settings: Settings): Promise<Finding[]> {
  // `checkCertificate` reports an unreadable or unusable certificate.
  const files = await readCertificate(settings).catch(() => null);
  const reason = files && REASONS[(await refusalOf(files)) ?? ''];
  if (!reason) return [];
  return [
    say.warning`Senders that verify certificates reject this one: ${reason}. Most libraries verify. Omit --tls-cert if mail may arrive without TLS.`,
  ];
}

/** Performs a TLS handshake within this process. Resolves to the code of the client's refusal, or null. */
async function refusalOf({ cert, key }: TlsIdentity): Promise<string | null> {
  const [near, far] = duplexPair();
  try {
    const secureContext = createSecureContext({ cert, key });
    new TLSSocket(far, { isServer: true, secureContext }).on('error', () => {});
    const client = connect({ socket: near, checkServerIdentity: () => undefined }).on('error', () => {});
    await once(client, 'secureConnect');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? null;
  } finally {
    near.destroy();
    far.destroy();
  }
}
