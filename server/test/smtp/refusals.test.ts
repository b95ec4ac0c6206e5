import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { MAX_REFUSALS } from '../../src/smtp/engine/refusals.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

/** Far more than may be told at a time that they are too many. */
const SWARM = 600;

let smtp: TestSmtp;
const open: Socket[] = [];

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await smtp.stop(0);
});

/** Connects, says nothing and does not close; resolves to the first words of the server, '' where it has closed. */
async function stubborn(): Promise<string> {
  const socket = connect({ port: smtp.port, host: '127.0.0.1', allowHalfOpen: true });
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
  smtp = await startTestSmtp({ maxConnections: 20, maxConnectionsPerClient: 10 });
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
  expect(told.length).toBeGreaterThanOrEqual(MAX_REFUSALS);
  expect(10 + told.length + closed.length).toBe(SWARM);
  before.destroy();
});

test('who is refused and does not close is closed, and who sends without end at once', async () => {
  smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
  await RawClient.greeted(smtp.port);
  expect(await stubborn()).toMatch(/^421 4\.7\.0 /);
  const [quiet] = open as [Socket];
  quiet.end();
  await closing(quiet);
  expect(await stubborn()).toMatch(/^421 4\.7\.0 /);
  const loud = open[1] as Socket;
  loud.write(Buffer.alloc(64 * 1024 * 1024));
  await closing(loud);
});

test('places for those who are refused are free again when these are gone', async () => {
  smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
  await RawClient.greeted(smtp.port);
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < MAX_REFUSALS; count += 1) {
      const refused = await RawClient.open(smtp.port);
      expect(await refused.line()).toMatch(/^421 4\.7\.0 /);
      expect(await refused.line()).toBeNull();
    }
  }
});
