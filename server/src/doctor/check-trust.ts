import { duplexPair } from 'node:stream';
import { connect, createSecureContext, TLSSocket } from 'node:tls';
import type { Settings } from '../settings/table.js';
import type { TlsIdentity } from '../tls/certificate.js';
import { readCertificate } from '../tls/certificate-files.js';
import { type Finding, findings } from './finding.js';

const say = findings('certificate');

const CHAIN_IS_CUT =
  'the intermediate certificates are missing, or the authority is your own. --tls-cert takes the whole chain, which certbot calls fullchain.pem';

/** Why a client that verifies certificates refuses one, by what OpenSSL says of it. Dates and names are looked at elsewhere. */
const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends with an authority that Node does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CHAIN_IS_CUT,
  UNABLE_TO_GET_ISSUER_CERT: CHAIN_IS_CUT,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CHAIN_IS_CUT,
};

/** Looks whether clients trust the certificate: whether its chain leads to an authority of Node's, or of NODE_EXTRA_CA_CERTS. */
export async function checkTrust(settings: Settings): Promise<Finding[]> {
  // What cannot be read or used is a finding of its own.
  const files = await readCertificate(settings).catch(() => null);
  const reason = files && REASONS[(await refusalOf(files)) ?? ''];
  if (!reason) return [];
  return [
    say.warning(
      `Senders that verify certificates reject it: ${reason}. Most libraries verify. Omit --tls-cert if mail may arrive without TLS.`,
    ),
  ];
}

/** Has a client shake hands with a server that has the certificate, within this process; resolves to why it refuses, or to null. */
function refusalOf({ cert, key }: TlsIdentity): Promise<string | null> {
  return new Promise((resolve) => {
    const [near, far] = duplexPair();
    const leave = (reason: string | null) => {
      near.destroy();
      far.destroy();
      resolve(reason);
    };
    const failed = ({ code }: NodeJS.ErrnoException) => leave(code ?? null);
    try {
      const secureContext = createSecureContext({ cert, key });
      new TLSSocket(far, { isServer: true, secureContext }).on('error', () => {});
      const client = connect({ socket: near, checkServerIdentity: () => undefined });
      client.once('error', failed).once('secureConnect', () => leave(null));
    } catch (error) {
      failed(error as NodeJS.ErrnoException);
    }
  });
}
