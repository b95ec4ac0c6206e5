import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

let smtp: TestSmtp | undefined;

afterEach(async () => await smtp?.stop(0));

/**
 * How many turns of the event loop, which is the server's and the client's, pass from a connection to its greeting: the fewest of
 * some tries. On a busy machine each turn takes longer, but there are no more of them.
 */
async function turnsToGreeting(port: number): Promise<number> {
  const tries: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    let turns = 0;
    for (; socket.bytesRead === 0; turns += 1) await turn();
    tries.push(turns);
    socket.destroy();
  }
  return Math.min(...tries);
}

test('the greeting comes at once', async () => {
  smtp = await startTestSmtp();
  expect(await turnsToGreeting(smtp.port)).toBeLessThan(50);
});

test('a client that closes its side before it is greeted is greeted, and let go', async () => {
  smtp = await startTestSmtp();
  const socket = connect(smtp.port, '127.0.0.1').end();
  expect(await text(socket)).toBe('220 inbox.example.com ESMTP Mayfly\r\n');
});

test('a client that speaks before it is greeted is sent away', async () => {
  smtp = await startTestSmtp();
  const early = await RawClient.open(smtp.port);
  await early.send('EHLO early.test\r\n');
  expect(await early.line()).toBe('421 4.5.1 Wait for the greeting before sending: closing the connection');
  expect(await early.line()).toBeNull();
});
