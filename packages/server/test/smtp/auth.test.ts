import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { testServer } from './start.js';

const TOKEN = Buffer.from('\0user\0secret').toString('base64');

/** The certificate used for STARTTLS. */
type Certificate = 'given' | 'self-signed' | 'none';

const trusted = parseRange('203.0.113.0/24') as AddressRange;

let listener: Server;

afterEach(() => {
  listener.close();
});

/** Connects a client that seems to connect from this address, which is not loopback. */
async function clientAt(remoteAddress: string, certificate: Certificate = 'given'): Promise<RawClient> {
  const tls = certificate === 'none' ? null : await selfSigned('inbox.example.com');
  const server = testServer({ set: { 'trust-proxy': [trusted] }, tls, credentialsNeedTls: certificate === 'given' });
  listener = createServer((socket) => server.accept(socket, remoteAddress)).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = await RawClient.open((listener.address() as AddressInfo).port);
  await client.reply();
  return client;
}

test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', '203.0.113.7'])(
  '%s may send credentials in clear',
  async (address) => {
    const client = await clientAt(address);
    expect(await client.ask('EHLO app.test')).toMatch(/\n250-AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2 OAUTHBEARER\n/);
    expect(await client.ask(`AUTH PLAIN ${TOKEN}`)).toBe('235 2.7.0 Authentication successful');
    client.destroy();
  },
);

test.each(['198.51.100.7', '2001:db8::1', '10.0.0.1'])('%s may send credentials only under TLS', async (address) => {
  const client = await clientAt(address);
  expect(await client.ask('EHLO app.test')).not.toMatch(/AUTH/);
  for (const command of [`AUTH PLAIN ${TOKEN}`, 'AUTH LOGIN', 'AUTH PLAIN', 'AUTH']) {
    expect(await client.ask(command)).toBe('538 5.7.11 Credentials are accepted only over TLS: send STARTTLS first');
  }
  expect(await client.mail('no credentials needed')).toMatch(/^250 /);
  await client.ask('STARTTLS');
  await client.startTls();
  expect(await client.ask('EHLO app.test')).toMatch(/\n250-AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2 OAUTHBEARER\n/);
  expect(await client.ask(`AUTH PLAIN ${TOKEN}`)).toBe('235 2.7.0 Authentication successful');
  client.destroy();
});

test.each(['198.51.100.7', '2001:db8::1', '127.0.0.1'])(
  '%s may send credentials in clear if TLS is not available',
  async (address) => {
    const client = await clientAt(address, 'none');
    const offered = await client.ask('EHLO app.test');
    expect(offered).toMatch(/\n250-AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2 OAUTHBEARER\n/);
    expect(offered).not.toMatch(/STARTTLS/);
    expect(await client.ask(`AUTH PLAIN ${TOKEN}`)).toBe('235 2.7.0 Authentication successful');
    expect(await client.mail('hello')).toMatch(/^250 /);
    client.destroy();
  },
);

test('with a self-signed certificate, credentials are accepted both in clear and over TLS', async () => {
  const client = await clientAt('198.51.100.7', 'self-signed');
  expect(await client.ask('EHLO app.test')).toMatch(
    /\n250-AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2 OAUTHBEARER\n250-STARTTLS\n/,
  );
  expect(await client.ask(`AUTH PLAIN ${TOKEN}`)).toBe('235 2.7.0 Authentication successful');
  await client.ask('STARTTLS');
  await client.startTls();
  expect(await client.ask('EHLO app.test')).toMatch(/\n250-AUTH PLAIN LOGIN CRAM-MD5 XOAUTH2 OAUTHBEARER\n/);
  expect(await client.ask(`AUTH PLAIN ${TOKEN}`)).toBe('235 2.7.0 Authentication successful');
  client.destroy();
});
