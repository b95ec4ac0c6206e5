import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import { type Client, Link, newClient } from '../../../src/store/redis/connection/client.js';
import { Connection } from '../../../src/store/redis/connection/connection.js';
import { askOnce } from '../../../src/store/redis/connection/topology.js';
import { startRedis } from './redis-server.js';

const listener = { connected: () => {}, received: () => {} };

/** How many connections to servers this process has or makes. */
const sockets = () =>
  process.getActiveResourcesInfo().filter((kind) => /^TCP(?:Socket|Connect)Wrap$/.test(kind)).length;

test('clients for different servers are of one class, which is not made anew', () => {
  const [one, other] = [1, 2].map((port) => newClient(`redis://127.0.0.1:${port}`)) as [Client, Client];
  expect(one.get).toBe(other.get);
});

describe('a connection to Redis', () => {
  /** What the server says to whatever comes. */
  let answer: (socket: Socket, bytes: Buffer) => void;
  let connections: Socket[];
  let server: ReturnType<typeof createServer>;
  let url: string;

  beforeEach(async () => {
    connections = [];
    answer = (socket, bytes) => socket.write('+OK\r\n'.repeat(bytes.toString().match(/^\*/gm)?.length ?? 0));
    server = createServer((socket) => {
      connections.push(socket);
      socket.on('data', (bytes) => answer(socket, bytes));
      socket.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    for (const socket of connections) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  test('that is dropped while it is made is gone, too', async () => {
    const connection = new Connection({ url, replicas: 1 }, listener);
    const opened = expect(connection.open()).rejects.toThrow('no longer used');
    connection.drop();
    await opened;
    await expect.poll(() => connections.length).toBe(3);
    await expect.poll(() => connections.every(({ readableEnded, destroyed }) => readableEnded || destroyed)).toBe(true);
    expect(connection.isReady).toBe(false);
  });

  test('that is made anew twenty times while it is made is one in the end, and none once it is dropped', async () => {
    const link = new Link(url, { lost: () => {} });
    link.begin();
    for (let times = 0; times < 20; times++) {
      link.renew();
      // Some are past their beginning by then.
      if (times % 2 === 0) await new Promise(setImmediate);
    }
    await link.whenReady();
    const open = () => connections.filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed).length;
    await expect.poll(() => connections.length).toBe(21);
    await expect.poll(open).toBe(1);
    link.drop();
    await expect.poll(open).toBe(0);
  });

  test('over which a server says nothing at all is made anew', async () => {
    const talk = answer;
    answer = () => {};
    const connection = new Connection({ url, replicas: 0 }, listener);
    await expect(connection.open()).rejects.toThrow('no reply for 5 seconds');
    expect(connections.length).toBe(2);
    answer = talk;
    await expect.poll(() => connection.isReady).toBe(true);
    await expect.poll(() => connections.filter(({ readableEnded }) => !readableEnded).length).toBe(2);
    await connection.close();
    await expect.poll(() => connections.every(({ readableEnded }) => readableEnded)).toBe(true);
  });
});

describe('what is asked once', needs('redis-server'), () => {
  test('leaves no connection behind where the network has lost its beginning', async () => {
    const redis = await startRedis({ args: ['--tcp-backlog', '1'] });
    const before = sockets();
    redis.process.kill('SIGSTOP');
    // As many as the backlog takes, and one: the system does not answer any more of them.
    const filling = Array.from({ length: 3 }, () => connect(redis.port, '127.0.0.1').on('error', () => {}));
    await expect.poll(() => filling.filter(({ pending }) => !pending).length).toBe(2);
    const asked = Array.from({ length: 4 }, () => askOnce(`redis://127.0.0.1:${redis.port}`, 'PING'));
    await Promise.all(asked.map((one) => expect(one).rejects.toThrow(/no reply for|Connection timeout/)));
    redis.process.kill('SIGCONT');
    for (const socket of filling) socket.destroy();
    await expect.poll(sockets).toBe(before);
    await expect.poll(() => redis.command('INFO', 'clients')).toContain('connected_clients:1\r');
    await redis.end();
  });
});
