/** Who is counted behind a proxy, what waits for its header, and who hears of it. What is said is in `conversations/proxy-*`. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SmtpError } from '../../src/errors.js';
import { smtpErrors } from '../../src/errors.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { RateLimiter } from '../../src/limits/rate-limiter.js';
import { Peers } from '../../src/smtp/engine/peer.js';
import type { SmtpServer } from '../../src/smtp/engine/smtp-server.js';
import type { SmtpEvents } from '../../src/smtp/smtp-listener.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { ManualClock } from '../manual-clock.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestOptions, type TestSmtp, testServer } from './start.js';

/** A proxy that speaks first, a lazy one, and an address of nobody in particular. */
const PROXY = '127.0.0.2';
const LAZY = '127.0.0.3';
const ELSEWHERE = '127.0.0.4';

/** How many may wait for their header. */
const MOST = 500;

const range = (text: string) => parseRange(text) as AddressRange;
const proxies = { first: [range(PROXY)], lazily: [range(LAZY)] };
const tls = await selfSigned('inbox.example.com');

let smtp: TestSmtp | undefined;
const open: { destroy(): unknown }[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0)) one.destroy();
  await smtp?.stop(0);
  smtp = undefined;
});

async function start(options: TestOptions = {}): Promise<TestSmtp> {
  smtp = await startTestSmtp({ proxies, tls, ...options });
  return smtp;
}

async function connected({ port }: TestSmtp, from: string): Promise<RawClient> {
  const client = await RawClient.open(port, from);
  open.push(client);
  return client;
}

/** What a client is told first that comes through the proxy that speaks first. */
async function through(server: TestSmtp, source: string): Promise<{ client: RawClient; told: string }> {
  const client = await connected(server, PROXY);
  await client.send(`PROXY TCP4 ${source} 198.51.100.1 56324 25\r\n`);
  return { client, told: await client.reply() };
}

const warnings = ({ logged }: TestSmtp) => logged.filter(({ level }) => level === 'warn' || level === 'error');

/** What is told to whoever counts. */
function counting() {
  const told: (string | SmtpError)[] = [];
  const ignore = () => {};
  const events: SmtpEvents = {
    connected: () => told.push('connected'),
    disconnected: () => told.push('disconnected'),
    connectionRefused: (error) => told.push(error),
    contentReceived: ignore,
    messageStored: ignore,
    messageRefused: ignore,
    messageLost: ignore,
  };
  return { told, events };
}

describe('counted is', () => {
  test('the client that the proxy names, and not the proxy', async () => {
    const server = await start({ maxConnectionsPerClient: 1 });
    expect((await through(server, '192.0.2.1')).told).toMatch(/^220 /);
    expect((await through(server, '192.0.2.2')).told).toMatch(/^220 /);
    expect((await through(server, '192.0.2.1')).told).toBe(
      '421 4.7.0 Too many connections from your address (--smtp-connections)',
    );
  });

  test('the same client, whether it comes through a proxy, through a lazy one, or straight', async () => {
    const server = await start({ maxConnectionsPerClient: 1 });
    expect(await (await connected(server, ELSEWHERE)).reply()).toMatch(/^220 /);
    expect((await through(server, ELSEWHERE)).told).toMatch(/^421 4\.7\.0 /);
    const lazy = await connected(server, LAZY);
    expect(await lazy.reply()).toMatch(/^220 /);
    await lazy.send(`PROXY TCP4 ${ELSEWHERE} 198.51.100.1 56324 25\r\nEHLO app.test\r\n`);
    expect(await lazy.reply()).toMatch(/^421 4\.7\.0 /);
    expect(await lazy.line()).toBeNull();
  });

  test('the proxy itself where it speaks for itself', async () => {
    const server = await start({ maxConnectionsPerClient: 1 });
    const check = async () => {
      const client = await connected(server, PROXY);
      await client.send('PROXY UNKNOWN\r\n');
      return await client.reply();
    };
    expect(await check()).toMatch(/^220 /);
    expect(await check()).toMatch(/^421 4\.7\.0 /);
    expect((await through(server, '192.0.2.1')).told).toMatch(/^220 /);
  });

  test('each mail, for the client that sends it', async () => {
    const server = await start({ mailRate: new RateLimiter({ count: 1, windowMs: 60_000 }) });
    for (const source of ['192.0.2.1', '192.0.2.2']) {
      const { client } = await through(server, source);
      await client.ask('EHLO app.test');
      expect(await client.mail('hello')).toMatch(/^250 /);
      expect(await client.ask('MAIL FROM:<a@app.test>')).toMatch(/^451 4\.7\.1 /);
    }
  });

  test('what is in memory, for the client that sends it', async () => {
    const MIB = 1024 * 1024;
    const server = await start({ maxInFlightBytes: 4 * MIB, maxMessageBytes: MIB });
    const begun = async (source: string) => {
      const { client } = await through(server, source);
      await client.ask('EHLO app.test');
      await client.begin();
      await client.send('x'.repeat(900 * 1024));
      return client;
    };
    const [first, second, other] = [await begun('192.0.2.1'), await begun('192.0.2.1'), await begun('192.0.2.2')];
    expect(await first.ask('\r\n.')).toMatch(/^250 /);
    expect(await second.ask('\r\n.')).toBe(
      '452 4.3.1 Too much mail is being received from your address (--max-in-flight): try again in a moment',
    );
    expect(await other.ask('\r\n.')).toMatch(/^250 /);
  });
});

test.each([
  ['is not local here where the proxy is not', '10.0.0.1', '127.0.0.1', false],
  ['is where the proxy is', '127.0.0.1', '127.0.0.1', true],
  ['is trusted where its address is', '10.0.0.1', '192.0.2.7', true],
  ['is not trusted for its proxy', '192.0.2.7', '198.51.100.1', false],
])('a client that is local to its proxy or trusted %s', (_, proxy, source, isTrusted) => {
  const peers = new Peers({ trusted: [range('192.0.2.7')], proxies: { first: [], lazily: [] } }, false);
  expect(peers.behind(proxy, source).isTrusted).toBe(isTrusted);
});

test('an address in both lists is lazy', async () => {
  const server = await start({ proxies: { first: [range('127.0.0.0/8')], lazily: [range(LAZY)] } });
  expect(await (await connected(server, LAZY)).reply()).toMatch(/^220 /);
});

describe('a header', () => {
  let listener: Server;
  afterEach(() => listener.close());

  /** The client's end of a connection, and the server's, which it serves without listening. */
  async function acceptedBoth(server: SmtpServer, address: string): Promise<[client: Socket, socket: Socket]> {
    listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const client = connect((listener.address() as AddressInfo).port, '127.0.0.1');
    open.push(client);
    const [socket] = (await once(listener, 'connection')) as [Socket];
    server.accept(socket, address);
    return [client, socket];
  }

  async function accepted(server: SmtpServer, address: string): Promise<Socket> {
    const [client] = await acceptedBoth(server, address);
    return client;
  }

  async function heard(client: Socket): Promise<string> {
    const [bytes] = (await once(client, 'data')) as [Buffer];
    return bytes.toString();
  }

  test('has five seconds to come in whole, which a byte now and then does not prolong', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = testServer({ tls, proxies });
    const client = await accepted(server, PROXY);
    const answer = heard(client);
    let isAnswered = false;
    answer.then(() => {
      isAnswered = true;
    });
    client.write('P');
    vi.advanceTimersByTime(4_000);
    client.write('R');
    vi.advanceTimersByTime(999);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(isAnswered).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await answer).toBe(
      '421 4.4.2 The PROXY protocol header required from this address did not arrive in time: see --smtp-proxy\r\n',
    );
  });

  test('that is bad ends the connection when the client has heard why, however much came behind it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = testServer({ tls, proxies });
    const [client, socket] = await acceptedBoth(server, PROXY);
    const closed = once(socket, 'close');
    client.write('EHLO app.test\r\n');
    expect(await heard(client)).toMatch(/^421 /);
    client.end(Buffer.alloc(512 * 1024));
    await closed;
  });

  test('that has come sets no bound on what follows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = testServer({ tls, proxies });
    const client = await accepted(server, PROXY);
    client.write('PROXY TCP4 192.0.2.1 198.51.100.1 1 2\r\n');
    expect(await heard(client)).toMatch(/^220 /);
    vi.advanceTimersByTime(59_000);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    client.write('NOOP\r\n');
    expect(await heard(client)).toMatch(/^250 /);
  });

  test('of a lazy proxy has as long as a client may be silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = testServer({ tls, proxies });
    const client = await accepted(server, LAZY);
    expect(await heard(client)).toMatch(/^220 /);
    const answer = heard(client);
    vi.advanceTimersByTime(30_000);
    client.write('PROXY TCP4 ');
    for (let turns = 0; turns < 20; turns += 1) await turn();
    vi.advanceTimersByTime(30_000);
    expect(await answer).toBe('421 4.4.2 The connection was idle for too long: closing it\r\n');
  });
});

describe('where a proxy stalls', () => {
  test.each([
    ['nothing', PROXY, ''],
    ['the beginning of a header', PROXY, 'PROXY TCP4 '],
    ['nothing, behind a lazy one', LAZY, ''],
  ])('with %s on 500 connections and more, others are served through it and beside it', async (_, from, bytes) => {
    const server = await start({ maxConnections: 5, maxConnectionsPerClient: 2 });
    const before = await through(server, '192.0.2.1');
    expect(before.told).toMatch(/^220 /);
    await before.client.ask('EHLO app.test');
    let left = 0;
    for (let count = 1; count <= MOST + 100; count += 1) {
      const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: from });
      open.push(socket);
      socket.on('error', () => {}).on('close', () => (left += 1));
      // What it is told is read, or it would never know that it is gone.
      socket.on('data', () => {});
      await once(socket, 'connect');
      if (bytes !== '') socket.write(bytes);
      if (count % 100 !== 0) continue;
      const next = await through(server, `192.0.2.${count / 10}`);
      expect(next.told).toMatch(/^220 /);
      next.client.destroy();
      const straight = await RawClient.greeted(server.port, ELSEWHERE);
      expect(await straight.mail('straight')).toMatch(/^250 /);
      straight.destroy();
      expect(await before.client.mail('still here')).toMatch(/^250 /);
    }
    // At least the hundred that were too many are gone; on a slow machine others are, too, whose time is over.
    await expect.poll(() => left).toBeGreaterThanOrEqual(100);
    expect(warnings(server).length).toBeLessThanOrEqual(1);
  });

  /** Clients whose connections have come and wait to be accepted, each with what it has sent. */
  async function unaccepted(count: number, bytes: (n: number) => string): Promise<[client: Socket, socket: Socket][]> {
    const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const pairs: [Socket, Socket][] = [];
    for (let n = 0; n < count; n += 1) {
      const client = connect(port, '127.0.0.1').on('error', () => {});
      open.push(client);
      const [[socket]] = await Promise.all([
        once(listener, 'connection') as Promise<[Socket]>,
        once(client, 'connect'),
      ]);
      if (bytes(n) !== '') await new Promise((resolve) => client.write(bytes(n), resolve));
      pairs.push([client, socket]);
    }
    listener.close();
    return pairs;
  }

  const firstWords = (pairs: readonly [Socket, Socket][]) =>
    Promise.all(
      pairs.map(async ([client]) => {
        const [bytes] = (await Promise.race([once(client, 'data'), once(client, 'close')])) as [unknown];
        return Buffer.isBuffer(bytes) ? bytes.toString().slice(0, 9) : 'closed';
      }),
    );

  test('those whose headers have come are served, however many are accepted at once', async () => {
    const server = testServer({ tls, proxies });
    const header = (n: number) => `PROXY TCP4 192.0.${n >> 8}.${n & 0xff} 198.51.100.1 1 2\r\n`;
    const pairs = await unaccepted(MOST + 200, header);
    for (const [, socket] of pairs) server.accept(socket, PROXY);
    expect(new Set(await firstWords(pairs))).toEqual(new Set(['220 inbox']));
  });

  test('of those that send nothing so many are left, and 1,500 for no moment', async () => {
    const told: unknown[] = [];
    const { events } = counting();
    const server = testServer({ tls, proxies, events: { ...events, connectionRefused: (error) => told.push(error) } });
    const pairs = await unaccepted(1_600, () => '');
    for (const [, socket] of pairs) server.accept(socket, PROXY);
    expect(told).toHaveLength(100);
    await turn();
    await turn();
    expect(told).toHaveLength(1_600 - MOST);
    for (const [, socket] of pairs) socket.destroy();
  });

  test('it is who has waited longest that goes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = await start();
    const first = await connected(server, PROXY);
    const second = await connected(server, PROXY);
    for (let count = 2; count < MOST; count += 1) await connected(server, PROXY);
    expect(server.logged.filter(({ level }) => level !== 'info')).toEqual([]);
    const last = await connected(server, PROXY);
    expect(await first.reply()).toBe(
      '421 4.3.2 Too many connections are waiting for their PROXY protocol header: try again in a moment',
    );
    for (const client of [last, second]) {
      await client.send('PROXY UNKNOWN\r\n');
      expect(await client.reply()).toMatch(/^220 /);
    }
  });
});

describe('whoever counts', () => {
  test('hears of a connection once its client is known', async () => {
    const { told, events } = counting();
    const server = await start({ events });
    const client = await connected(server, PROXY);
    await client.send('PROXY TCP4 192.0.2.1 198.51.');
    expect(told).toEqual([]);
    await client.send('100.1 1 2\r\n');
    expect(await client.reply()).toMatch(/^220 /);
    expect(told).toEqual(['connected']);
    client.destroy();
    await expect.poll(() => told).toEqual(['connected', 'disconnected']);
  });

  test('hears why others are refused', async () => {
    const { told, events } = counting();
    const server = await start({ events });
    for (const bytes of ['EHLO app.test\r\n', 'PROXY UDP4 \r\n']) {
      const client = await connected(server, PROXY);
      await client.send(bytes);
      expect(await client.reply()).toMatch(/^421 /);
    }
    expect(told).toEqual([smtpErrors.proxyHeaderMissing, smtpErrors.badProxyHeader]);
  });

  test('and the log hear nothing of a check that only opens a connection', async () => {
    const { told, events } = counting();
    const server = await start({ events });
    for (const [from, leave] of [
      [PROXY, (client: RawClient) => client.destroy()],
      [PROXY, (client: RawClient) => client.reset()],
      [LAZY, (client: RawClient) => client.half()],
    ] as const) {
      const client = await connected(server, from);
      await leave(client);
    }
    // One that came after them was served after them.
    expect((await through(server, '192.0.2.1')).told).toMatch(/^220 /);
    expect(told).toEqual(['connected']);
    expect(warnings(server)).toEqual([]);
  });
});

describe('the log', () => {
  test('says once a minute why connections of proxies are closed, and then how many others were', async () => {
    const clock = new ManualClock();
    const server = await start({ after: (delayMs, wake) => clock.after(delayMs, wake) });
    const bad = async () => {
      const client = await connected(server, PROXY);
      await client.send('EHLO app.test\r\n');
      expect(await client.reply()).toMatch(/^421 /);
    };
    for (let count = 0; count < 30; count += 1) await bad();
    await clock.advance(60_000);
    await bad();
    const message = `Refused: ${smtpErrors.proxyHeaderMissing.text}.`;
    const kind = 'proxy-header-missing';
    expect(warnings(server)).toEqual([
      { level: 'warn', facts: { kind, client: PROXY, reply: '421 4.5.1', count: 1 }, message },
      { level: 'warn', facts: { kind, count: 29 }, message: `${message} (29 more within a minute)` },
    ]);
  });

  test.each([
    ['at once', true],
    ['after the greeting', false],
  ])('says that somebody who is not listed sent a header %s', async (_, atOnce) => {
    const server = await start();
    for (let count = 0; count < 3; count += 1) {
      const client = await connected(server, ELSEWHERE);
      if (!atOnce) await client.reply();
      await client.send('PROXY TCP4 192.0.2.1 198.51.100.1 56324 25\r\n');
      expect(await client.reply()).toMatch(/^(?:220|421|500) /);
    }
    const message = 'A PROXY protocol header arrived from an address that is not in --smtp-proxy.';
    const facts = { kind: 'unlisted-proxy', client: ELSEWHERE, count: 1 };
    expect(warnings(server)).toEqual([{ level: 'warn', facts, message }]);
  });

  test('says nothing of a second header, which is a client of a proxy that makes one up', async () => {
    const server = await start();
    const client = await connected(server, PROXY);
    await client.send(['192.0.2.1', '192.0.2.9'].map((source) => `PROXY TCP4 ${source} 198.51.100.1 1 2\r\n`).join(''));
    expect([await client.reply(), await client.reply()].map((told) => told.slice(0, 3))).toEqual(['220', '500']);
    expect(warnings(server)).toEqual([]);
  });
});

test('who waits for a header is told that the service stops', async () => {
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

test('a client that closes its side behind its last command still gets the answers', async () => {
  const server = await start();
  const client = await connected(server, PROXY);
  await client.send('PROXY TCP4 192.0.2.1 198.51.100.1 1 2\r\nNOOP\r\nNOOP\r\n');
  await client.half();
  expect([await client.reply(), await client.reply(), await client.reply(), await client.line()]).toEqual([
    expect.stringMatching(/^220 /),
    '250 2.0.0 OK',
    '250 2.0.0 OK',
    null,
  ]);
});
