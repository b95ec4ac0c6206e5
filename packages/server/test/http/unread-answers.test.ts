import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { HELD_BOUNDS, HeldBytes, LEAST_BYTES_PER_SECOND } from '../../src/fairness/client-memory.js';
import { createHttpServer } from '../../src/http/connection/http-server.js';
import { Peers } from '../../src/http/connection/peers.js';
import { MAX_WAIT_MS, READ_MS } from '../../src/http/connection/unread-answers.js';
import { ManualClock } from '../manual-clock.js';

const MIB = 1024 * 1024;

/** More than the kernel keeps for both sides of a connection, and than a client may have unread besides. */
const LARGE = Buffer.alloc(80 * MIB, 'x');

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 50_000, interval: 5 };

const LIMITS = {
  headerTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  maxBodyBytes: 1_000,
  maxConnections: 1_000,
  maxConnectionsPerClient: 1_000,
};

const open: { destroy(): void }[] = [];

afterEach(() => {
  for (const each of open.splice(0)) each.destroy();
});

interface Started {
  readonly clock: ManualClock;
  /** Which paths were asked for and begun. */
  readonly begun: string[];
  /** Asks for a path and reads nothing. Resolves to both sides of the connection once the request has come. */
  ask(path: string, localAddress?: string): Promise<{ client: Socket; ours: Socket }>;
}

/** A server whose `/large` is larger than the kernel keeps, whose `/stream…` goes on, and everything else is a word. */
async function start(): Promise<Started> {
  const clock = new ManualClock();
  const begun: string[] = [];
  const answer = ({ url = '' }, response: ServerResponse) => {
    begun.push(url);
    if (url.startsWith('/stream')) response.writeHead(200).flushHeaders();
    else response.end(url === '/large' ? LARGE : 'a word');
  };
  const held = new HeldBytes(clock);
  const peers = new Peers([]);
  const server: Server = createHttpServer({ limits: LIMITS, peers, clock, held, answer });
  server.listen(0, '127.0.0.1');
  open.push({ destroy: () => server.close().closeAllConnections() });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    clock,
    begun,
    async ask(path, localAddress = '127.0.0.1') {
      const asked = once(server, 'request') as Promise<[{ socket: Socket }]>;
      const client = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('latin1').pause();
      open.push(client);
      client.on('error', () => {}).write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const [{ socket }] = await asked;
      return { client, ours: socket };
    },
  };
}

async function settled(): Promise<void> {
  for (let turns = 0; turns < 200; turns += 1) await turn();
}

test('an answer has 30 s to be read, and a second more for each 128 KiB that did not leave at once, however it is read', async () => {
  const { clock, ask } = await start();
  const { client, ours } = await ask('/large');
  const unread = ours.writableLength;
  expect(unread).toBeGreaterThan(0);
  const time = READ_MS + (unread / LEAST_BYTES_PER_SECOND) * 1_000;
  for (let passed = 0; passed < 4; passed += 1) {
    await clock.advance(time / 4 - 1);
    expect(ours.destroyed).toBe(false);
    client.read();
    await settled();
  }
  await clock.advance(5);
  expect(ours.destroyed).toBe(true);
});

test('one that is read in time is not cut later', async () => {
  const { clock, ask } = await start();
  const { client, ours } = await ask('/large');
  client.resume();
  await vi.waitFor(() => expect(ours.writableLength).toBe(0), PATIENCE);
  await settled();
  await clock.advance(10 * READ_MS);
  expect(ours.destroyed).toBe(false);
});

test('a client that has so much unread is begun no more until it has read; others are', async () => {
  const { begun, ask } = await start();
  expect(LARGE.length).toBeGreaterThan(1.5 * HELD_BOUNDS.perClient);
  const { client: first } = await ask('/large');
  const { client: second } = await ask('/second');
  const { client: third } = await ask('/third');
  await ask('/other', '127.0.0.2');
  await settled();
  expect(begun).toEqual(['/large', '/other']);
  first.resume();
  for (const client of [second, third]) expect((await once(client.resume(), 'data'))[0]).toMatch(/^HTTP\/1\.1 200 /);
  expect(begun).toEqual(['/large', '/other', '/second', '/third']);
});

test('what waits behind streams is begun though they go on', async () => {
  const { clock, begun, ask } = await start();
  const { client: large, ours } = await ask('/large');
  const paths = ['/stream/1', '/stream/2', '/stream/3', '/last'];
  for (const path of paths) await ask(path);
  await settled();
  expect(begun).toEqual(['/large']);
  large.destroy();
  if (!ours.closed) await new Promise((resolve) => ours.once('close', resolve));
  await clock.advance(1_000);
  expect(begun).toEqual(['/large', ...paths]);
});

test('what waits for that is answered 503 after ten seconds, and forgotten when its client leaves', async () => {
  const { clock, begun, ask } = await start();
  await ask('/large');
  const { client: leaves, ours } = await ask('/leaves');
  const { client: stays } = await ask('/stays');
  leaves.destroy();
  if (!ours.closed) await new Promise((resolve) => ours.once('close', resolve));
  await clock.advance(MAX_WAIT_MS);
  const [answer] = await once(stays.resume(), 'data');
  expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*{"error":"Too many large responses /s);
  expect(begun).toEqual(['/large']);
  // The connection goes on.
  stays.write('GET /again HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await settled();
  expect(stays.destroyed).toBe(false);
});

test('where all clients together have so much unread, the one that has most loses what has waited longest', async () => {
  const { ask } = await start();
  const { ours: first } = await ask('/large', '127.0.0.2');
  const most = Math.ceil(HELD_BOUNDS.total / first.writableLength);
  const others = [];
  // One may come on top of what its client may have.
  for (let n = 0; n < most; n += 1) others.push(await ask('/large', `127.0.1.${n + 1}`));
  const all = [first, ...others.map(({ ours }) => ours)];
  const unread = () => all.filter(({ destroyed }) => !destroyed).reduce((sum, ours) => sum + ours.writableLength, 0);
  expect(all.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0);
  expect(unread()).toBeLessThanOrEqual(HELD_BOUNDS.total);
  expect(all.at(-1)?.destroyed === true && all.filter(({ destroyed }) => destroyed).length === all.length).toBe(false);
});
