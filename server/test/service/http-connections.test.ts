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
