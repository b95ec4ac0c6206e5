import { on, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp, testServer } from './start.js';

/** How many may be told at a time that they are too many. */
const MOST = 100;

/** Far more than that. */
const SWARM = 600;

const MIB = 1024 * 1024;

let smtp: TestSmtp;
const open: Socket[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const socket of open.splice(0)) socket.destroy();
  await smtp?.stop(0);
});

/** Connects, says nothing and does not close; resolves to the first words of the server, '' where it has closed. */
async function stubborn(port = smtp.port): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  open.push(socket);
  socket.on('error', () => {});
  let words = '';
  socket.on('data', (bytes) => {
    words += bytes;
  });
  await Promise.race([once(socket, 'data'), once(socket, 'close'), once(socket, 'end')]).catch(() => {});
  return words;
}

async function closing(socket: Socket): Promise<void> {
  await new Promise((resolve) => socket.once('close', resolve));
}

test('a client that opens connections without end takes none from others', async () => {
  smtp = await startTestSmtp({ maxConnections: 40, maxConnectionsPerClient: 10 });
  const before = await RawClient.open(smtp.port, '127.0.0.2');
  expect(await before.reply()).toMatch(/^220 /);
  await before.ask('EHLO other.test');
  let settled = 0;
  const swarm = Array.from({ length: SWARM }, () => stubborn().finally(() => (settled += 1)));
  let served = 0;
  while (settled < SWARM) {
    expect(await before.mail('still here')).toMatch(/^250 /);
    const another = await RawClient.greeted(smtp.port, '127.0.0.2');
    expect(await another.mail('and here')).toMatch(/^250 /);
    another.destroy();
    served += 2;
  }
  const heard = await Promise.all(swarm);
  expect(smtp.inbox.mails).toHaveLength(served);
  expect(heard.filter((words) => words.startsWith('220 '))).toHaveLength(10);
  const told = heard.filter((words) => words.startsWith('421 4.7.0 '));
  const closed = heard.filter((words) => words === '');
  expect(told.length).toBeGreaterThanOrEqual(MOST);
  expect(10 + told.length + closed.length).toBe(SWARM);
  before.destroy();
});

test('who is refused and does not close is closed', async () => {
  smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
  await RawClient.greeted(smtp.port);
  expect(await stubborn()).toMatch(/^421 4\.7\.0 /);
  const [socket] = open as [Socket];
  let isClosed = false;
  socket.once('close', () => {
    isClosed = true;
  });
  // Only who still sends notices that the other side is gone.
  for (; !isClosed; await turn()) socket.write('x');
});

test('who is refused is closed 200 ms later', async () => {
  const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const heard = stubborn((listener.address() as AddressInfo).port);
  const [socket] = (await once(listener, 'connection')) as [Socket];
  const server = testServer({ tls: await selfSigned('inbox.example.com'), maxConnectionsPerClient: 0 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.accept(socket, '127.0.0.1');
  expect(await heard).toMatch(/^421 /);
  vi.advanceTimersByTime(199);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
  listener.close();
});

test('so many are told at one moment and no more, and what they send is not read without end', async () => {
  const swarm = MOST + 50;
  const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const heard = Array.from({ length: swarm }, () => stubborn(port));
  const sockets: Socket[] = [];
  for await (const [socket] of on(listener, 'connection')) if (sockets.push(socket) === swarm) break;
  const server = testServer({ tls: await selfSigned('inbox.example.com'), maxConnectionsPerClient: 0 });
  for (const socket of sockets) server.accept(socket, '127.0.0.1');
  const read = Promise.all(
    sockets.map(async (socket) => {
      await closing(socket);
      return socket.bytesRead;
    }),
  );
  const words = await Promise.all(heard);
  expect(words.filter((text) => text.startsWith('421 4.7.0 '))).toHaveLength(MOST);
  expect(words.filter((text) => text === '')).toHaveLength(50);
  for (const socket of open.slice(0, 3)) socket.write(Buffer.alloc(64 * MIB));
  expect(Math.max(...(await read))).toBeLessThan(2 * MIB);
  listener.close();
});

test('places for those who are refused are free again when these are gone', async () => {
  smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
  await RawClient.greeted(smtp.port);
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < MOST; count += 1) {
      const refused = await RawClient.open(smtp.port);
      expect(await refused.line()).toMatch(/^421 4\.7\.0 /);
      expect(await refused.line()).toBeNull();
    }
  }
});
