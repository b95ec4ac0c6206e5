/** Tests how clients behind a proxy are counted and refused. `conversations/proxy-*` covers the header itself. */
import { afterEach, describe, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import type { SmtpObserver } from '../../src/smtp/observer.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestOptions, type TestSmtp } from './start.js';

/** Addresses of a proxy that sends its header first, of one that sends it after the greeting, and of another client. */
const PROXY = '127.0.0.2';
const LAZY = '127.0.0.3';
const ELSEWHERE = '127.0.0.4';

const range = (text: string) => parseRange(text) as AddressRange;
const proxies = { 'smtp-proxy': [range(PROXY)], 'smtp-proxy-lazy': [range(LAZY)] };
const tls = await selfSigned('inbox.example.com');

let smtp: TestSmtp | undefined;
const open: { destroy(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await smtp?.stop(0);
  smtp = undefined;
});

async function start(options: TestOptions = {}): Promise<TestSmtp> {
  smtp = await startTestSmtp({ tls, ...options, set: { ...proxies, ...options.set } });
  return smtp;
}

async function connected({ port }: TestSmtp, from: string): Promise<RawClient> {
  const client = await RawClient.open(port, from);
  open.push(client);
  return client;
}

/** Connects through the eager proxy, which sends its header first. Resolves to the client and the first reply. */
async function through(server: TestSmtp, source: string): Promise<{ client: RawClient; told: string }> {
  const client = await connected(server, PROXY);
  await client.send(`PROXY TCP4 ${source} 198.51.100.1 56324 25\r\n`);
  return { client, told: await client.reply() };
}

const warnings = ({ logged }: TestSmtp) => logged.filter(({ level }) => level === 'warn' || level === 'error');

/** Returns an observer, and the list of connection events that it has observed. */
function counting() {
  const told: string[] = [];
  const observer: SmtpObserver = {
    connected: () => told.push('connected'),
    ended: () => told.push('ended'),
    turnedAway: ({ name }) => told.push(name),
  };
  return { told, observer };
}

describe('limits behind a proxy', () => {
  test('count all connections of a client, direct or from a proxy in --smtp-proxy or --smtp-proxy-lazy', async () => {
    const server = await start({ set: { 'smtp-connections': 1 } });
    expect(await (await connected(server, ELSEWHERE)).reply()).toMatch(/^220 /);
    expect((await through(server, ELSEWHERE)).told).toMatch(/^421 4\.7\.0 /);
    const lazy = await connected(server, LAZY);
    expect(await lazy.reply()).toMatch(/^220 /);
    await lazy.send(`PROXY TCP4 ${ELSEWHERE} 198.51.100.1 56324 25\r\nEHLO app.test\r\n`);
    expect(await lazy.reply()).toMatch(/^421 4\.7\.0 /);
    expect(await lazy.line()).toBeNull();
  });
});

test('a proxy in both --smtp-proxy and --smtp-proxy-lazy is greeted before it sends a PROXY header', async () => {
  const server = await start({ set: { 'smtp-proxy': [range('127.0.0.0/8')] } });
  expect(await (await connected(server, LAZY)).reply()).toMatch(/^220 /);
});

test('a proxy whose header is incomplete after five seconds is disconnected', async () => {
  const client = await connected(await start(), PROXY);
  await client.send('PROXY TCP4 ');
  expect(await client.reply()).toBe(
    '421 4.4.2 The PROXY protocol header required from this address did not arrive in time: see --smtp-proxy',
  );
});

describe('health checks of a proxy', () => {
  test('are neither counted nor logged if the proxy only opens and closes a connection', async () => {
    const { told, observer } = counting();
    const server = await start({ observe: [() => observer] });
    for (const [from, leave] of [
      [PROXY, (client: RawClient) => client.destroy()],
      [PROXY, (client: RawClient) => client.reset()],
      [LAZY, (client: RawClient) => client.half()],
    ] as const) {
      const client = await connected(server, from);
      await leave(client);
    }
    // A later connection was served, so the earlier ones have been handled.
    expect((await through(server, '192.0.2.1')).told).toMatch(/^220 /);
    expect(told).toEqual(['connected']);
    expect(warnings(server)).toEqual([]);
  });
});

test('proxies that have not yet sent a complete PROXY header get a 421 when the service stops', async () => {
  const server = await start();
  const waiting = [await connected(server, PROXY), await connected(server, LAZY)] as const;
  expect(await waiting[1].reply()).toMatch(/^220 /);
  await waiting[0].send('PROXY TCP4 ');
  const stopped = server.stop(30_000);
  for (const client of waiting) {
    expect(await client.reply()).toMatch(/^421 4\.3\.2 The service is stopping/);
    expect(await client.line()).toBeNull();
  }
  await stopped;
});
