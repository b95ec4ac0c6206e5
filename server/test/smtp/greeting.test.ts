import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

let smtp: TestSmtp | undefined;

afterEach(async () => await smtp?.stop(0));

/** How long a client waits for its greeting: the shortest of some tries, which a busy machine disturbs least. */
async function greetingMs(port: number): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5; tries += 1) {
    const start = performance.now();
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'data');
    shortest = Math.min(shortest, performance.now() - start);
    socket.destroy();
  }
  return shortest;
}

test('the greeting comes at once', async () => {
  smtp = await startTestSmtp();
  expect(await greetingMs(smtp.port)).toBeLessThan(50);
});

test('a client that speaks before it is greeted is sent away', async () => {
  smtp = await startTestSmtp();
  const early = await RawClient.open(smtp.port);
  await early.send('EHLO early.test\r\n');
  expect(await early.line()).toBe('421 4.5.1 Wait for the greeting before you speak: closing the connection');
  expect(await early.line()).toBeNull();
});
