import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { LIMITS, startApi, type TestApi, type TestApiOptions } from './api.js';

/** Time limits for expected events on a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 5 };

/** The idle timeout in these tests, because the 30 s of the service would take too long. */
const IDLE_MS = 300;

const BOUND = 3;

const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const LAST_REQUEST = REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

let api: TestApi;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await api.close();
});

async function start(options: TestApiOptions = {}): Promise<void> {
  api = await startApi({ limits: { ...LIMITS, connections: { ...LIMITS.connections, perClient: BOUND } }, ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
}

function open(localAddress = '127.0.0.1'): Socket {
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('latin1');
  sockets.push(socket.on('error', () => {}));
  return socket;
}

/** Connects, receives one response, and keeps the connection open. */
async function stay(localAddress?: string): Promise<string> {
  const socket = open(localAddress);
  socket.write(REQUEST);
  const [answer] = await once(socket, 'data');
  return answer;
}

/** Sends one request on a new connection, and resolves to everything received until the connection closes. */
async function whole(localAddress?: string): Promise<string> {
  const socket = open(localAddress);
  socket.write(LAST_REQUEST);
  return text(socket);
}

describe('the connections of one client are bounded (D13)', () => {
  test('a connection beyond the limit of its client gets 429 and is closed, and other clients are served', async () => {
    await start();
    for (let n = 0; n < BOUND; n++) expect(await stay()).toMatch(/^HTTP\/1\.1 200 /);
    const [head = '', body = ''] = (await whole()).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 429 /);
    expect(head).toMatch(/\r\nmayfly-error: too-many-connections\r\n/);
    expect(head).toMatch(/\r\nretry-after: 1\r\n/);
    expect(head).toMatch(/\r\nconnection: close(?:\r\n|$)/);
    expect(JSON.parse(body).error).toContain(`The limit is ${BOUND}`);
    expect(await whole('127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('connections of a trusted proxy are not counted', async () => {
    await start({ trusted: [parseRange('127.0.0.1') as AddressRange] });
    for (let n = 0; n < 3 * BOUND; n++) expect(await stay()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an idle connection', () => {
  test('is closed 10 s after a response, and otherwise after 30 s (D13)', async () => {
    await start();
    expect([api.app.server.timeout, api.app.server.keepAliveTimeout]).toEqual([30_000, 10_000]);
  });

  test.each([
    [1, 'sends nothing', ''],
    [1, 'does not read a large answer', REQUEST.replace('/healthz', '/api/inbox/large')],
    [5, 'waits for the rest of its answer', REQUEST.replace('/healthz', '/api/inbox/demo/stream')],
  ])('is closed after %i times the idle timeout if its client %s', async (times, _, bytes) => {
    await start();
    await api.mail('large', 'x'.repeat(32 * 1024 * 1024));
    api.app.server.setTimeout(IDLE_MS);
    const accepted = once(api.app.server, 'connection') as Promise<[Socket]>;
    const opened = performance.now();
    open().pause().write(bytes);
    const [ours] = await accepted;
    if (!ours.closed) await new Promise((resolve) => ours.once('close', resolve));
    expect(performance.now() - opened).toBeGreaterThan((times - 0.5) * IDLE_MS);
  });
});

test('beyond the limit for all clients, each new connection is closed, until an open connection ends', async () => {
  await start({ limits: { ...LIMITS, connections: { total: 2, perClient: 2 } } });
  for (const client of ['127.0.0.1', '127.0.0.2']) expect(await stay(client)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await whole('127.0.0.3')).toBe('');
  sockets[0]?.destroy();
  await vi.waitFor(async () => expect(await whole('127.0.0.3')).toMatch(/^HTTP\/1\.1 200 /), PATIENCE);
});
