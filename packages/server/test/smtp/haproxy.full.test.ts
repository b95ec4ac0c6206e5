/** HAProxy in front of the server, as operators have it. Skipped where it is not installed, but in CI. */
import { afterEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import type { SmtpEvents } from '../../src/smtp/smtp-listener.js';
import { freePort } from '../store/redis/redis-server.js';
import { RawClient } from './client.js';
import { type Haproxy, startHaproxy } from './haproxy.js';
import { startTestSmtp, type TestOptions, type TestSmtp } from './start.js';

/** How many checks are waited for, and how often they come. */
const CHECKS = 3;
const CHECK_EVERY = '100ms';

let smtp: TestSmtp;
let haproxy: Haproxy;

afterEach(async () => {
  await haproxy?.end();
  await smtp.stop(0);
});

/** Starts both, HAProxy with such a line for the server, and resolves to the port that clients connect to. */
async function start(server: string, options: TestOptions = {}): Promise<number> {
  smtp = await startTestSmtp({ proxies: { first: [parseRange('127.0.0.1') as AddressRange], lazily: [] }, ...options });
  const port = await freePort();
  const configuration = `
global
  log stdout format raw local0
defaults
  mode tcp
  log global
  timeout connect 30s
  timeout client 60s
  timeout server 60s
  timeout check 30s
frontend smtp
  bind 127.0.0.1:${port}
  default_backend mayfly
backend mayfly
  ${smtp.tlsPort === null ? 'option smtpchk HELO balancer.test' : ''}
  server mayfly 127.0.0.1:${smtp.tlsPort ?? smtp.port} ${server}
`;
  haproxy = await startHaproxy(configuration, [port]);
  return port;
}

const complaints = () => smtp.logged.filter(({ level }) => level === 'warn' || level === 'error');

describe('behind HAProxy', needs('haproxy'), () => {
  test.each(['send-proxy', 'send-proxy-v2', 'send-proxy-v2 proxy-v2-options crc32c,unique-id'])(
    'with %s, two clients are two, whose mails come with their addresses',
    async (server) => {
      const port = await start(server, { maxConnectionsPerClient: 1 });
      const [one, two] = [await RawClient.greeted(port, '127.0.0.2'), await RawClient.greeted(port, '127.0.0.3')];
      const third = await RawClient.open(port, '127.0.0.3');
      expect(await third.line()).toMatch(/^421 4\.7\.0 Too many connections from your address/);
      for (const client of [one, two]) expect(await client.mail('hello')).toMatch(/^250 /);
      expect(smtp.inbox.mails.map(({ client }) => client)).toEqual(['127.0.0.2', '127.0.0.3']);
      expect(complaints()).toEqual([]);
      for (const client of [one, two, third]) client.destroy();
    },
  );

  test('TLS begins as without it', async () => {
    const port = await start('send-proxy-v2');
    const client = await RawClient.greeted(port, '127.0.0.2');
    expect(await client.ask('STARTTLS')).toMatch(/^220 /);
    await client.startTls();
    await client.ask('EHLO app.test');
    expect(await client.mail('hello')).toMatch(/^250 /);
    expect(smtp.inbox.mails.map((mail) => mail.client)).toEqual(['127.0.0.2']);
    client.destroy();
  });

  test.each(['send-proxy', 'send-proxy-v2'])('TLS from the first byte follows the header of %s', async (server) => {
    const port = await start(`${server} check inter ${CHECK_EVERY}`, { tlsPort: 0 });
    const client = await RawClient.secure(port, '127.0.0.2');
    expect(await client.mail('hello')).toMatch(/^250 /);
    expect(smtp.inbox.mails.map((mail) => mail.client)).toEqual(['127.0.0.2']);
    expect(haproxy.output()).not.toContain('DOWN');
    expect(complaints()).toEqual([]);
    client.destroy();
  });

  test.each(['send-proxy', 'send-proxy-v2'])(
    'its checks of health find the server well with %s, and are its own',
    async (server) => {
      let checks = 0;
      const ignore = () => {};
      const events: SmtpEvents = {
        connected: () => (checks += 1),
        disconnected: ignore,
        connectionRefused: ignore,
        contentReceived: ignore,
        messageStored: ignore,
        messageRefused: ignore,
        messageLost: ignore,
      };
      const port = await start(`${server} check inter ${CHECK_EVERY}`, { events });
      await expect.poll(() => checks).toBeGreaterThan(CHECKS);
      const client = await RawClient.greeted(port, '127.0.0.2');
      expect(await client.mail('hello')).toMatch(/^250 /);
      expect(haproxy.output()).not.toContain('DOWN');
      expect(complaints()).toEqual([]);
      client.destroy();
    },
  );

  test('without the header, clients are told and the log says why', async () => {
    const port = await start('');
    const client = await RawClient.open(port, '127.0.0.2');
    await client.send('EHLO app.test\r\n');
    expect(await client.line()).toBe(
      '421 4.5.1 Connections from this address must begin with a PROXY protocol header: see --smtp-proxy',
    );
    expect(complaints()).toMatchObject([
      { level: 'warn', facts: { kind: 'proxy-header-missing', client: '127.0.0.1' } },
    ]);
    client.destroy();
  });
});
