import { afterEach, describe, expect, test } from 'vitest';
import { limiterOf } from '../../src/limits/rate-limiter.js';
import { RawClient } from './client.js';
import { startTestSmtp, type TestSmtp } from './start.js';

let smtp: TestSmtp;

afterEach(async () => await smtp.stop(0));

describe('the limit on connections', () => {
  test('allows one client many connections until half of all are taken, and keeps the other half for other clients', async () => {
    smtp = await startTestSmtp({ set: { 'smtp-connections-total': 24, 'smtp-connections': 8 } });
    const open = await Promise.all(Array.from({ length: 8 }, () => RawClient.greeted(smtp.port)));
    open.push(...(await Promise.all(Array.from({ length: 4 }, () => RawClient.greeted(smtp.port, '127.0.0.2')))));
    const refused = await RawClient.open(smtp.port, '127.0.0.2');
    expect(await refused.line()).toBe(
      '421 4.3.2 All connections are in use (--smtp-connections-total): try again in a moment',
    );
    open.push(await RawClient.greeted(smtp.port, '127.0.0.3'));
    for (const client of open) client.destroy();
  });

  const endings: Readonly<Record<string, (client: RawClient) => unknown>> = {
    QUIT: (client) => client.ask('QUIT'),
    'closing the socket': (client) => client.destroy(),
    'too many errors': (client) => client.send('x\r\n'.repeat(10)),
    'a line that is too long': (client) => client.send('x'.repeat(20_000)),
    'a TLS handshake that is none': async (client) => {
      await client.ask('STARTTLS');
      await client.send('this is no TLS at all, is it?\r\n');
    },
    'closing under TLS': async (client) => {
      await client.ask('STARTTLS');
      await client.startTls();
      client.destroy();
    },
  };

  test.each(Object.keys(endings))('admits the next client once the first client has left by %s', async (name) => {
    smtp = await startTestSmtp({ set: { 'smtp-connections': 1 } });
    const first = await RawClient.greeted(smtp.port);
    await endings[name]?.(first);
    await expect
      .poll(async () => {
        const next = await RawClient.open(smtp.port);
        const greeting = await next.reply();
        next.destroy();
        return greeting;
      })
      .toMatch(/^220 /);
    first.destroy();
    expect(smtp.logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });
});

test('a client that begins no TLS handshake after STARTTLS is disconnected, even with unread replies', async () => {
  // Each reply to RCPT contains this list, so the socket buffers cannot hold all replies.
  const domainList = 'long.example.com, '.repeat(10_000);
  // Long enough for the client to reach its handshake on a busy machine before the limit disconnects it.
  smtp = await startTestSmtp({ domainList, set: { 'smtp-idle': 8_000 } });
  const client = await RawClient.greeted(smtp.port);
  await client.ask('MAIL FROM:<a@app.test>');
  const refused = 60;
  await client.send(`${'RCPT TO:<demo@other.test>\r\n'.repeat(refused)}STARTTLS\r\n`);
  for (let n = 0; n < refused; n += 1) expect(await client.reply()).toMatch(/^550 /);
  expect(await client.reply()).toMatch(/^220 /);
  expect(await client.line()).toBe(null);
});

test('the limit on messages per client counts the messages of all its connections', async () => {
  smtp = await startTestSmtp({ mailRate: limiterOf({ count: 2, windowMs: 60_000 }) });
  const client = await RawClient.greeted(smtp.port);
  expect(await client.mail('one')).toMatch(/^250 /);
  const again = await RawClient.greeted(smtp.port);
  expect(await again.mail('two')).toMatch(/^250 /);
  expect(await client.ask('MAIL FROM:<a@app.test>')).toBe(
    '451 4.7.1 Too many messages from your address (--smtp-limit): try again in 60 seconds',
  );
  expect(await client.ask('NOOP')).toMatch(/^250 /);
  const other = await RawClient.greeted(smtp.port, '127.0.0.2');
  expect(await other.mail('three')).toMatch(/^250 /);
  for (const each of [client, again, other]) each.destroy();
});

describe('the limit on memory', () => {
  const tooMuch = '452 4.3.1 Too much mail is being received (--max-in-flight): try again in a moment';

  test('applies to messages in flight over all connections', async () => {
    smtp = await startTestSmtp({ set: { 'max-in-flight': 1_000 } });
    const first = await RawClient.greeted(smtp.port);
    const second = await RawClient.greeted(smtp.port);
    await first.begin();
    await first.send('x'.repeat(800));
    expect(await second.mail('y'.repeat(300))).toBe(tooMuch);
    expect(await second.mail('y'.repeat(100))).toMatch(/^250 /);
    expect(await first.ask('\r\n.')).toMatch(/^250 /);
    expect(await second.mail('y'.repeat(900))).toMatch(/^250 /);
    for (const client of [first, second]) client.destroy();
  });
});

describe('the limit on messages in flight', () => {
  const KIB = 1024;
  const clients: RawClient[] = [];

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  async function greeted(address: string): Promise<RawClient> {
    const client = await RawClient.greeted(smtp.port, address);
    clients.push(client);
    return client;
  }

  test('leaves room for messages of other clients while one IP address has fifty unfinished messages', async () => {
    smtp = await startTestSmtp({ set: { 'max-in-flight': 1024 * KIB, 'max-message': 100 * KIB } });
    for (let n = 0; n < 50; n += 1) {
      const attacker = await greeted('127.0.0.66');
      await attacker.begin();
      await attacker.send('x'.repeat(90 * KIB));
    }
    for (const [address, bytes] of [
      ['127.0.0.2', 100],
      ['127.0.0.3', 90 * KIB],
      ['127.0.0.4', 90 * KIB],
    ] as const) {
      const other = await greeted(address);
      await other.begin();
      expect(await other.ask(`${'y'.repeat(bytes)}\r\n.`)).toMatch(/^250 /);
    }
  });

  test('rejects large but not small messages from an IP address that has used up its share', async () => {
    smtp = await startTestSmtp({
      set: { 'max-in-flight': 400 * KIB, 'max-message': 100 * KIB, 'smtp-connections-total': 100 },
    });
    const holding = await greeted('127.0.0.2');
    await holding.begin();
    await holding.send('x'.repeat(90 * KIB));
    const next = await greeted('127.0.0.2');
    await next.begin();
    expect(await next.ask(`${'y'.repeat(20 * KIB)}\r\n.`)).toBe(
      '452 4.3.1 Too much mail is being received from your address (--max-in-flight): try again in a moment',
    );
    expect(await next.mail('small')).toMatch(/^250 /);
  });
});
