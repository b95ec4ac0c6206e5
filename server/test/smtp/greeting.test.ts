import { once } from 'node:events';
import { connect } from 'node:net';
import { SMTPServer } from 'smtp-server';
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

test('the greeting comes at once; smtp-server by itself waits, and where it does no more, Connection.init is not needed', async () => {
  smtp = await startTestSmtp();
  const server = new SMTPServer({ logger: false, disableReverseLookup: true });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as { port: number };
  const bareMs = await greetingMs(port);
  expect(bareMs).toBeGreaterThan(90);
  expect(await greetingMs(smtp.port)).toBeLessThan(bareMs / 2);
  await new Promise<void>((resolve) => server.close(resolve));
});

test('a client that speaks before it is greeted is sent away', async () => {
  smtp = await startTestSmtp();
  const early = await RawClient.open(smtp.port);
  await early.send('EHLO early.test\r\n');
  expect(await early.line()).toBe('421 4.5.1 Wait for the greeting before you speak: closing the connection');
  expect(await early.line()).toBeNull();
});
