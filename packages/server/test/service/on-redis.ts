import { writeFile } from 'node:fs/promises';
import { generate } from 'selfsigned';
import { freePort } from '../ports.js';
import { type RunningMayfly, transportTo } from './process.js';

/** Maximum error of a node's estimate of the server's clock. Mail may expire this much early. */
export const CLOCK_MS = 1_000;

/** Settings for unlimited fetches. */
export const UNLIMITED = ['--fetch-limit', 'off'];

export const mailTo = (mayfly: RunningMayfly, to: string | string[], subject: string) =>
  transportTo(mayfly).sendMail({ from: 'a@app.test', to, subject, text: 'Your code is 482913' });

export const isReady = async ({ url }: RunningMayfly): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;

/** Creates a certificate for Redis servers of this machine, trusted only by processes that get `certFile`. */
export async function redisCertificate(folder: string) {
  const [certFile, keyFile] = [`${folder}/cert.pem`, `${folder}/key.pem`];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile];
  /** Returns options that make a server listen with TLS on a free port. */
  const flags = async () => {
    const port = await freePort();
    return { port, args: ['--tls-port', `${port}`, ...files, '--tls-auth-clients', 'no'] };
  };
  return { certFile, flags };
}
