import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { Limiter } from '../../src/limits/rate-limiter.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { Collector, testServer } from './start.js';

test('a limit that answers later keeps the order of pipelined commands, and refuses like any other', async () => {
  let uses = 0;
  const shared: Limiter = {
    take: () => new Promise((resolve) => setImmediate(resolve, uses++ === 0 ? 0 : 3_500)),
    wait: () => 0,
  };
  const inbox = new Collector();
  const server = testServer({ inbox, tls: await selfSigned('inbox.example.com') }, { mailRate: shared });
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

test('a limit that answers later and fails is a fault of ours: 451 and the end', async () => {
  const { client, close } = await withLimit(() => Promise.reject(new Error('the store is gone')));
  expect(await client.ask('MAIL FROM:<a@app.test>')).toMatch(/^451 4\.3\.0 /);
  expect(await client.line()).toBeNull();
  close();
});

test('an error while an answer is said that came later is a fault of ours, too: 451 and the end', async () => {
  let answer: (waitMs: number) => void = () => {};
  const take = () => new Promise<number>((resolve) => (answer = resolve));
  const { client, socket, close } = await withLimit(take);
  await client.send('MAIL FROM:<a@app.test>\r\n');
  vi.spyOn(socket, 'write').mockImplementationOnce(() => {
    throw new Error('a fault of ours');
  });
  answer(0);
  expect(await client.reply()).toMatch(/^451 4\.3\.0 /);
  expect(await client.line()).toBeNull();
  close();
});

test('a client that closes its side while its limit is looked up still gets its answers', async () => {
  let answer: (waitMs: number) => void = () => {};
  const { client, close } = await withLimit(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  await client.send('MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\n');
  await client.send('NOOP\r\n');
  await client.half();
  expect(client.unread).toBe('');
  answer(0);
  for (const start of [/^250 2\.1\.0/, /^250 2\.1\.5/, /^250 2\.0\.0/]) expect(await client.reply()).toMatch(start);
  expect(await client.line()).toBeNull();
  close();
});

/** A client of a server whose limit of mails is counted elsewhere, and the server's side of its connection. */
async function withLimit(take: () => Promise<number>) {
  const mailRate: Limiter = { take, wait: () => 0 };
  const server = testServer({ tls: await selfSigned('inbox.example.com') }, { mailRate });
  const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const opened = RawClient.greeted((listener.address() as AddressInfo).port);
  const [socket] = (await once(listener, 'connection')) as [Socket];
  server.accept(socket, '127.0.0.1');
  return { client: await opened, socket, close: () => listener.close() };
}
