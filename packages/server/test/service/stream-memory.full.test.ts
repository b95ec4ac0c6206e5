import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { endAll, type RunningMayfly, serve } from './process.js';

/** Some are opened and closed before: V8 compiles meanwhile, and buffers stay. */
const WARM_UP = 1_500;
const STREAMS = 1_500;

/** On a busy machine the first streams end, after 30 s, before the last ones open. So many must be open at least. */
const LEAST_OPEN = 500;

/** How many are being opened at once. */
const AT_ONCE = 50;

/** What an open stream may take of the heap and of buffers, with Node's own 6.3 KB and what is told of a wait (D63). */
const MOST_BYTES = 8 * 1024;

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 50 };

const SETTINGS = ['--stream-limit', 'off', '--name-limit', 'off', '--streams-per-client', String(STREAMS)];

/** Writes to standard error at each signal how many connections are open, and, after a collection, the bytes of heap and buffers. */
const PROBE = `
  import { setImmediate as turn } from 'node:timers/promises';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  let looks = 0;
  process.on('SIGUSR2', async () => {
    setFlagsFromString('--expose-gc');
    for (let n = 0; n < 5; n += 1) {
      runInNewContext('gc')();
      await turn();
    }
    const { heapUsed, external } = process.memoryUsage();
    looks += 1;
    const open = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    console.error('look ' + looks + ': ' + open + ' open, ' + (heapUsed + external) + ' bytes');
  });`;

const ENVIRONMENT = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PROBE)}` };

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  endAll();
});

async function openStreams({ url }: RunningMayfly, prefix: string, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    const said = Array.from({ length: AT_ONCE }, (_, n) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket.write(`GET /api/inbox/${prefix}-${opened + n}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return once(socket, 'data');
    });
    for (const [answer] of await Promise.all(said)) expect(String(answer)).toContain('200 OK');
  }
}

/** How many connections are open, and the bytes of heap and buffers. */
async function look(mayfly: RunningMayfly): Promise<{ readonly open: number; readonly bytes: number }> {
  const looks = () => [...mayfly.log().matchAll(/^look \d+: (\d+) open, (\d+) bytes$/gm)];
  const before = looks().length;
  mayfly.process.kill('SIGUSR2');
  await vi.waitFor(() => expect(looks().length).toBeGreaterThan(before), PATIENCE);
  const [, open, bytes] = looks().at(-1) ?? [];
  return { open: Number(open), bytes: Number(bytes) };
}

test('thousands of open streams take little memory each', { timeout: 180_000 }, async () => {
  const mayfly = await serve(['--store', 'memory:', ...SETTINGS], ENVIRONMENT);
  await openStreams(mayfly, 'before', WARM_UP);
  for (const socket of sockets.splice(0)) socket.destroy();
  let before = await look(mayfly);
  while (before.open > 0) before = await look(mayfly);
  await openStreams(mayfly, 'open', STREAMS);
  const after = await look(mayfly);
  expect(after.open).toBeGreaterThan(LEAST_OPEN);
  expect((after.bytes - before.bytes) / after.open).toBeLessThan(MOST_BYTES);
});
