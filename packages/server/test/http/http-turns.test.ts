import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { HeldBytes } from '../../src/fairness/client-memory.js';
import { Connections, type Serving } from '../../src/http/connection/connections.js';
import { createHttpServer } from '../../src/http/connection/http-server.js';
import { Peers } from '../../src/http/connection/peers.js';
import { Pipeline, UnderWay } from '../../src/http/connection/pipeline.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { ManualClock } from '../manual-clock.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

const open: { destroy(): void }[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const each of open.splice(0)) each.destroy();
});

/** Both sides of a connection. */
interface Pair {
  readonly ours: Socket;
  readonly theirs: Socket;
}

/** Connections that were accepted and that nobody has read from. The clients read nothing by themselves. */
async function accepted(froms: readonly string[]): Promise<Pair[]> {
  const listener = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  open.push({ destroy: () => listener.close() });
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const pairs: Pair[] = [];
  for (const localAddress of froms) {
    const theirs = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }).setEncoding('latin1');
    theirs.pause().on('error', () => {});
    const [ours] = (await once(listener, 'connection')) as [Socket];
    open.push(theirs, ours);
    pairs.push({ ours, theirs });
  }
  return pairs;
}

/** Opens what is admitted, and lists what is served. */
function servingInto(served: Pipeline[]): Serving {
  const context = { peers: new Peers([]), underWay: new UnderWay(), held: new HeldBytes(new ManualClock()) };
  return { open: (socket) => new Pipeline(socket, context), serve: (pipeline) => served.push(pipeline) };
}

/** What a client was sent until it was closed. */
async function heard(socket: Socket): Promise<string> {
  let words = '';
  socket.on('data', (text) => {
    words += text;
  });
  socket.resume();
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return words;
}

test('of one client four connections are served at once, and of all that wait four in a round', async () => {
  const clients = Array.from({ length: 10 }, (_, n) => `127.0.0.${n + 1}`);
  const pairs = await accepted(clients.flatMap((client) => Array.from({ length: 6 }, () => client)));
  const served: Pipeline[] = [];
  const connections = new Connections(new Peers([]), { maxConnectionsPerClient: 100 }, servingInto(served));
  for (const { ours } of pairs) connections.admit(ours);
  const counts = [served.length];
  for (let round = 0; round < 5; round += 1) {
    await turn();
    counts.push(served.length);
  }
  expect(counts).toEqual([40, 44, 48, 52, 56, 60]);
  expect(new Set(served).size).toBe(10 * 6);
});

test('a connection that is closed while it waits for its turn is not served', async () => {
  const pairs = await accepted(Array.from({ length: 6 }, () => '127.0.0.1'));
  const served: Pipeline[] = [];
  const connections = new Connections(new Peers([]), { maxConnectionsPerClient: 100 }, servingInto(served));
  for (const { ours } of pairs) connections.admit(ours);
  pairs[4]?.ours.destroy();
  await turn();
  expect(served).toEqual([0, 1, 2, 3, 5].map((at) => Pipeline.of((pairs[at] as Pair).ours)));
});

test('so many are told at one moment that they are refused, and others once these are gone, which they are soon', async () => {
  const MOST = 100;
  const connections = new Connections(new Peers([]), { maxConnectionsPerClient: 0 }, servingInto([]));
  for (const _again of [1, 2]) {
    const pairs = await accepted(Array.from({ length: MOST + 20 }, () => '127.0.0.1'));
    const words = Promise.all(pairs.map(({ theirs }) => heard(theirs)));
    // None of them closes its side: who is told is cut after a moment.
    const closed = Promise.all(pairs.map(({ ours }) => new Promise((resolve) => ours.once('close', resolve))));
    for (const { ours } of pairs) connections.admit(ours);
    const told = (await words).map((text) => text.slice(0, 'HTTP/1.1 429'.length));
    expect(told.filter((text) => text === 'HTTP/1.1 429')).toHaveLength(MOST);
    expect(told.filter((text) => text === '')).toHaveLength(20);
    await closed;
  }
});

test('whoever is refused is cut 200 ms later', async () => {
  const [{ ours, theirs }] = (await accepted(['127.0.0.1'])) as [Pair];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  new Connections(new Peers([]), { maxConnectionsPerClient: 0 }, servingInto([])).admit(ours);
  expect(await heard(theirs)).toMatch(/^HTTP\/1\.1 429 /);
  vi.advanceTimersByTime(199);
  expect(ours.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(ours.destroyed).toBe(true);
});

test('whoever is refused and resets the connection ends nothing else', async () => {
  const [{ ours, theirs }] = (await accepted(['127.0.0.1'])) as [Pair];
  const closed = new Promise((resolve) => ours.once('close', resolve));
  new Connections(new Peers([]), { maxConnectionsPerClient: 0 }, servingInto([])).admit(ours);
  theirs.resetAndDestroy();
  // It has failed: an error that nobody listened to would have ended the process.
  expect(await closed).toBe(true);
});

/** A server whose answers wait, and who has a request begun. Each of its clients has an address of its own. */
async function startServer(
  begin: (client: string, response: ServerResponse) => void,
  trusted: readonly string[] = [],
): Promise<{ server: Server; port: number; connected(client?: string): Promise<Socket> }> {
  const limits = {
    headerTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    maxBodyBytes: 1_000,
    maxConnections: 3_000,
    maxConnectionsPerClient: 3_000,
  };
  const peers = new Peers(trusted.map((range) => parseRange(range) as AddressRange));
  const answer: RequestListener = ({ socket }, response) => begin(socket.remoteAddress ?? '', response);
  const clock = new ManualClock();
  const server = createHttpServer({ limits, peers, clock, held: new HeldBytes(clock), answer });
  server.listen(0, '127.0.0.1');
  open.push({ destroy: () => server.close().closeAllConnections() });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = async (localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    open.push(socket);
    await once(server, 'connection');
    return socket;
  };
  return { server, port, connected };
}

test('of one client as many requests wait as it has connections, and none of them is lost', async () => {
  let begun = 0;
  const { connected } = await startServer(() => {
    begun += 1;
  });
  let closed = 0;
  const sockets: Socket[] = [];
  for (let n = 0; n < 2_500; n += 1) sockets.push((await connected()).resume());
  for (const socket of sockets) {
    socket.once('close', () => {
      closed += 1;
    });
  }
  for (const socket of sockets) socket.write(REQUEST);
  while (begun + closed < sockets.length) await turn();
  expect(begun).toBe(sockets.length);
});

test('whoever connects behind hundreds of others waits for few of the requests that came before', async () => {
  const NEWCOMERS = 300;
  let begun = 0;
  const { server, port, connected } = await startServer((_client, response) => {
    begun += 1;
    response.end();
  });
  for (let n = 0; n < 40; n += 1) (await connected()).resume().write(REQUEST.repeat(100));
  while (begun < 40) await turn();
  const before = begun;
  let accepted = 0;
  const isOver = new Promise<void>((resolve) => {
    server.on('connection', () => {
      accepted += 1;
      if (accepted === NEWCOMERS) resolve();
    });
  });
  for (let n = 0; n < NEWCOMERS; n += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {});
    open.push(socket);
  }
  await isOver;
  expect(begun).toBeLessThan(40 * 100);
  expect(begun - before).toBeLessThan(NEWCOMERS);
});

describe('a connection that is still', () => {
  test('is closed after 30 s, or after 10 s where its request was answered (D13)', async () => {
    const { server } = await startServer(() => {});
    expect([server.timeout, server.keepAliveTimeout]).toEqual([30_000, 10_000]);
  });

  test.each([
    ['sends nothing', '', () => {}],
    ['has no answer', REQUEST, () => {}],
    ['does not read its answer', REQUEST, (response: ServerResponse) => response.end(Buffer.alloc(64 * 1024 * 1024))],
  ])('is closed where its client %s', async (_, bytes, answer) => {
    const { server, port } = await startServer((_client, response) => answer(response));
    server.setTimeout(300);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect({ port, host: '127.0.0.1' }).pause();
    open.push(socket);
    socket.on('error', () => {}).write(bytes);
    const [ours] = await accepted;
    if (!ours.closed) await new Promise((resolve) => ours.once('close', resolve));
  });
});

test('a connection whose answer is being made is not closed before that has come, within bounds', async () => {
  const waiting: ServerResponse[] = [];
  const { server, port } = await startServer((_client, response) => waiting.push(response));
  server.setTimeout(400);
  const client = connect({ port, host: '127.0.0.1' }).setEncoding('latin1');
  open.push(client);
  client.on('error', () => {}).write(REQUEST);
  await once(server, 'timeout');
  await once(server, 'timeout');
  waiting[0]?.end('at last');
  expect((await once(client, 'data'))[0]).toMatch(/^HTTP\/1\.1 200 .*at last$/s);
});

test('of all clients together only so many connections are open: one more is closed, and one that ends makes room', async () => {
  const limits = { headerTimeoutMs: 60_000, requestTimeoutMs: 60_000, maxBodyBytes: 1_000 };
  const server = createHttpServer({
    limits: { ...limits, maxConnections: 2, maxConnectionsPerClient: 2 },
    peers: new Peers([]),
    clock: new ManualClock(),
    held: new HeldBytes(new ManualClock()),
    answer: (_, response) => response.end('served'),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({ destroy: () => server.close() });
  const { port } = server.address() as AddressInfo;
  const asked = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('latin1');
    open.push(socket);
    socket.on('error', () => {}).write(REQUEST);
    const answer = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    return { socket, isServed: String(answer[0]).includes('served') };
  };
  const first = await asked('127.0.0.1');
  const second = await asked('127.0.0.2');
  const third = await asked('127.0.0.3');
  expect([first, second, third].map(({ isServed }) => isServed)).toEqual([true, true, false]);
  const gone = new Promise<void>((resolve) => {
    server.getConnections((_, before) => {
      const look = () => server.getConnections((_error, now) => (now < before ? resolve() : setImmediate(look)));
      look();
    });
  });
  first.socket.destroy();
  await gone;
  expect((await asked('127.0.0.3')).isServed).toBe(true);
});
