import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { endAll, serve } from './process.js';

const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await endAll();
});

/** A connection with one request on it. */
function ask(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  sockets.push(socket.on('error', () => {}));
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

/** Connections beside as many as there may be streams, for those who only fetch. */
const SPARE = 5_000;

test('of all clients together as many may be open as streams and five thousand more; one more is closed and counted (D13)', async () => {
  const streams = 3;
  // Only the bound of all is to be met, and none of them is to be closed for being still.
  const most = ['--streams', `${streams}`, '--streams-per-client', `${streams}`, '--http-connections', `${2 * SPARE}`];
  const patient = ['--http-header-time', '1h', '--http-request-time', '1h'];
  const { url, output } = await serve(['--store', 'memory:', '--metrics', '0', ...most, ...patient]);
  let closed = 0;
  const open = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    sockets.push(socket.on('error', () => {}).on('close', () => (closed += 1)));
    return once(socket, 'connect').catch(() => {});
  };
  for (let opened = 0; opened < SPARE + streams; opened += 500) {
    await Promise.all(Array.from({ length: Math.min(500, SPARE + streams - opened) }, open));
  }
  const [, metrics = ''] = /metrics=(\S+)/.exec(output()) ?? [];
  const refused = async () => {
    const text = await (await fetch(metrics)).text();
    return Number(/^mayfly_limited_total\{limit="http-connections-total"\} (\d+)$/m.exec(text)?.[1]);
  };
  expect([closed, await refused()]).toEqual([0, 0]);
  await open();
  await expect.poll(() => closed).toBe(1);
  expect(await refused()).toBe(1);
});

test('a client may have the sum of two settings as connections, and who has more is told both (D13)', async () => {
  const { url } = await serve(['--store', 'memory:', '--http-connections', '2', '--streams-per-client', '3']);
  for (let n = 0; n < 2 + 3; n += 1) {
    const [answer] = await once(ask(url), 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  }
  const refusal = await text(ask(url));
  expect(refusal).toMatch(/^HTTP\/1\.1 429 /);
  for (const part of ['limit is 5,', '--http-connections', '--streams-per-client']) expect(refusal).toContain(part);
});
