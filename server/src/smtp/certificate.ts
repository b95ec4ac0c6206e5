import { createSecureContext } from 'node:tls';

/** A certificate with its key, both in PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/**
 * Makes a certificate for a host that nobody vouches for, so that STARTTLS works without any set-up. It lives as long as
 * the process. The library is loaded only here: it takes a third of a second, which those who bring a certificate save.
 */
export async function selfSigned(hostname: string): Promise<TlsIdentity> {
  const { generate } = await import('selfsigned');
  const { cert, private: key } = await generate([{ name: 'commonName', value: hostname }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
  });
  return { cert, key };
}

/** Throws, with a sentence for the operator, when a certificate and its key cannot be used. */
export function checkIdentity({ cert, key }: TlsIdentity): void {
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new Error('The TLS certificate cannot be used: it and its key must be PEM and belong together.', { cause });
  }
}
