import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { Limiter } from '../../src/limits/rate-limiter.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { Collector, testServer } from './start.js';

test('answers pipelined commands in order if a limit is shared with other nodes', async () => {
  let uses = 0;
  const shared: Limiter = {
    take: () => new Promise((resolve) => setImmediate(resolve, uses++ === 0 ? 0 : 3_500)),
    wait: async () => 0,
  };
  const inbox = new Collector();
  const server = testServer({ inbox, tls: await selfSigned('inbox.example.com'), mailRate: shared });
  const listener = createServer((socket) => server.accept(socket, '127.0.0.1')).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = await RawClient.greeted((listener.address() as AddressInfo).port);
  await client.send('EHLO app.test\r\nMAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\n');
  for (const start of [/^250/, /^250 /, /^250 /, /^354 /]) expect(await client.reply()).toMatch(start);
  await client.send('Subject: a\r\n\r\nb\r\n.\r\n');
  expect(await client.reply()).toMatch(/^250 /);
  expect(inbox.mails).toHaveLength(1);
  expect(await client.ask('MAIL FROM:<a@app.test>')).toBe(
    '451 4.7.1 Too many messages from your address (--smtp-limit): try again in 4 seconds',
  );
  client.destroy();
  listener.close();
});
