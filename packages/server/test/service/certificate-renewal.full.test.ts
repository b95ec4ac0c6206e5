import { execFile } from 'node:child_process';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TlsIdentity } from '../../src/tls/certificate.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from '../smtp/client.js';
import { endAll, type RunningMayfly, serve, temporaryFolder } from './process.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let mayfly: RunningMayfly;
let log = '';

const [first, second, third] = (await Promise.all([1, 2, 3].map(() => selfSigned('inbox.example.com')))) as [
  TlsIdentity,
  TlsIdentity,
  TlsIdentity,
];

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  endAll();
  await folder.remove();
});

const inFolder = (...parts: string[]) => path.join(folder.path, ...parts);

/** Creates a folder with a certificate and key, and points the link `..data` to it, as Kubernetes renews a secret. */
async function link(version: string, { cert, key }: TlsIdentity): Promise<void> {
  await mkdir(inFolder(version));
  await writeFile(inFolder(version, 'tls.crt'), cert);
  await writeFile(inFolder(version, 'tls.key'), key);
  await symlink(version, inFolder('..data_tmp'));
  await rename(inFolder('..data_tmp'), inFolder('..data'));
}

async function start(cert: string, key: string): Promise<void> {
  mayfly = await serve(['--store', 'memory:', '--tls-cert', cert, '--tls-key', key]);
  log = '';
  mayfly.process.stderr?.on('data', (chunk) => {
    log += chunk;
  });
}

/** Connects a client with TLS. Resolves to the client and the serial number of the server's certificate. */
async function secured(): Promise<{ client: RawClient; serial: string }> {
  const client = await RawClient.greeted(mayfly.smtpPort);
  await client.ask('STARTTLS');
  const socket: TLSSocket = await client.startTls();
  return { client, serial: socket.getPeerCertificate().serialNumber };
}

async function served(): Promise<string> {
  const { client, serial } = await secured();
  client.destroy();
  return serial;
}

test('a renewed certificate is used for new connections without a restart, and open connections continue', async () => {
  await link('v1', first);
  for (const name of ['tls.crt', 'tls.key']) await symlink(path.join('..data', name), inFolder(name));
  await start(inFolder('tls.crt'), inFolder('tls.key'));
  const { client, serial: before } = await secured();
  expect(await served()).toBe(before);

  await link('v2', second);
  await expect.poll(served).not.toBe(before);
  const renewed = await served();
  await client.ask('EHLO app.test');
  expect(await client.mail('sent under the certificate of before')).toMatch(/^250 /);
  client.destroy();
  expect(log).toContain('The TLS certificate was renewed');

  // Combines the key of one certificate with another certificate.
  await link('v3', { cert: third.cert, key: second.key });
  await expect.poll(() => log).toContain('The TLS certificate was not renewed; the previous one stays in use');
  expect(log).toContain(`${inFolder('tls.crt')} and ${inFolder('tls.key')} cannot be used`);
  expect(await served()).toBe(renewed);
  await writeFile(inFolder('v3', 'tls.key'), third.key);
  await expect.poll(served).not.toBe(renewed);
  expect(await served()).not.toBe(before);
  expect(await mayfly.end('SIGTERM')).toBe(0);
});

test('a named pipe in place of the certificate does not block the service, which keeps the old certificate', async () => {
  const [cert, key] = [inFolder('cert.pem'), inFolder('key.pem')];
  await writeFile(cert, first.cert);
  await writeFile(key, first.key);
  await start(cert, key);
  const before = await served();
  await rm(cert);
  await promisify(execFile)('mkfifo', [cert]);
  await expect.poll(() => log).toContain(`${cert} cannot be read: it is not a regular file`);
  expect(await served()).toBe(before);
  expect(await mayfly.end('SIGTERM')).toBe(0);
});
