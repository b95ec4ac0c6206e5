import { afterEach, describe, expect, test } from 'vitest';
import { RateLimiter } from '../../src/limits/rate-limiter.js';
import { RawClient } from './client.js';
import { type Outcome, startTestSmtp, type TestSmtp } from './start.js';

let smtp: TestSmtp;

afterEach(async () => await smtp.stop(0));

describe('connections', () => {
  test('are limited for each client, whose other addresses do not suffer', async () => {
    smtp = await startTestSmtp({ maxConnectionsPerClient: 2 });
    const open = [await RawClient.greeted(smtp.port), await RawClient.greeted(smtp.port)];
    const refused = await RawClient.open(smtp.port);
    expect(await refused.line()).toBe('421 4.7.0 Too many connections from your address (--smtp-connections)');
    expect(await refused.line()).toBeNull();
    const other = await RawClient.open(smtp.port, '127.0.0.2');
    expect(await other.reply()).toMatch(/^220 /);
    for (const client of [...open, other]) client.destroy();
  });

  test('are limited in all', async () => {
    smtp = await startTestSmtp({ maxConnections: 2 });
    const open = [await RawClient.greeted(smtp.port), await RawClient.greeted(smtp.port, '127.0.0.2')];
    const refused = await RawClient.open(smtp.port, '127.0.0.3');
    expect(await refused.line()).toBe(
      '421 4.3.2 All connections are in use (--smtp-connections-total): try again in a moment',
    );
    expect(await refused.line()).toBeNull();
    for (const client of open) client.destroy();
  });

  test('are many for one client, until half of all are taken: then others have room whatever it does', async () => {
    smtp = await startTestSmtp({ maxConnections: 24, maxConnectionsPerClient: 8 });
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
    'a reset': (client) => client.reset(),
    'a reset in the middle of a mail': async (client) => {
      await client.begin();
      await client.send('half');
      client.reset();
    },
    'too many errors': (client) => client.send('x\r\n'.repeat(10)),
    'a line that is too long': (client) => client.send('x'.repeat(20_000)),
    'a TLS handshake that is none': async (client) => {
      await client.ask('STARTTLS');
      await client.send('this is no TLS at all, is it?\r\n');
    },
    'going in the middle of a TLS handshake': async (client) => {
      await client.ask('STARTTLS');
      client.reset();
    },
    'closing under TLS': async (client) => {
      await client.ask('STARTTLS');
      await client.startTls();
      client.destroy();
    },
  };

  test.each(Object.keys(endings))('%s makes room for the next one', async (name) => {
    smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
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

test('mails are limited for each client, over its connections', async () => {
  smtp = await startTestSmtp({ mailRate: new RateLimiter({ count: 2, windowMs: 60_000 }) });
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

describe('memory', () => {
  const tooMuch = '452 4.3.1 Too much mail is being received (--max-in-flight): try again in a moment';

  test('that is small has its room beside a large one of the same client, where all may send one at once', async () => {
    const MIB = 1024 * 1024;
    smtp = await startTestSmtp({ maxInFlightBytes: 4 * MIB, maxMessageBytes: MIB, maxConnections: 64 });
    const large = await RawClient.greeted(smtp.port);
    await large.begin();
    await large.send(`${'x'.repeat(998)}\r\n`.repeat(1_048));
    const small = await RawClient.greeted(smtp.port);
    expect(await small.mail('y'.repeat(900))).toMatch(/^250 /);
    for (const client of [large, small]) client.destroy();
  });

  test('is counted over all connections while mails come in', async () => {
    smtp = await startTestSmtp({ maxInFlightBytes: 1_000 });
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

  test('is counted until a mail is stored', async () => {
    smtp = await startTestSmtp({ maxInFlightBytes: 1_000 });
    let stored: (outcome: Outcome) => void = () => {};
    smtp.inbox.outcome = () =>
      new Promise((resolve) => {
        stored = resolve;
      });
    const first = await RawClient.greeted(smtp.port);
    const second = await RawClient.greeted(smtp.port);
    await first.begin();
    await first.send(`${'x'.repeat(800)}\r\n.\r\n`);
    expect(await second.mail('y'.repeat(300))).toBe(tooMuch);
    stored('stored');
    expect(await first.reply()).toMatch(/^250 /);
    smtp.inbox.outcome = async () => 'stored';
    expect(await second.mail('y'.repeat(900))).toMatch(/^250 /);
    for (const client of [first, second]) client.destroy();
  });

  test('is let go when a client goes or its mail is too large', async () => {
    smtp = await startTestSmtp({ maxInFlightBytes: 1_000, maxMessageBytes: 900 });
    const goes = await RawClient.greeted(smtp.port);
    await goes.begin();
    await goes.send('x'.repeat(800));
    goes.destroy();
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    expect(await client.ask(`${'x'.repeat(2_000)}\r\n.`)).toMatch(/^552 5\.3\.4 /);
    expect(await client.mail('x'.repeat(800))).toMatch(/^250 /);
    client.destroy();
  });
});

describe('time', () => {
  test('a client that says nothing is sent away', async () => {
    smtp = await startTestSmtp({ idleTimeoutMs: 300 });
    const client = await RawClient.greeted(smtp.port);
    expect(await client.line()).toBe('421 4.4.2 The connection was idle for too long: closing it');
    expect(await client.line()).toBeNull();
  });

  test('so is one that says nothing in the middle of a mail', async () => {
    smtp = await startTestSmtp({ idleTimeoutMs: 300 });
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('half');
    expect(await client.line()).toBe('421 4.4.2 The connection was idle for too long: closing it');
    expect(await client.line()).toBeNull();
    expect(smtp.inbox.mails).toEqual([]);
  });

  test('so is one that never shakes hands for TLS', async () => {
    smtp = await startTestSmtp({ idleTimeoutMs: 300 });
    const client = await RawClient.greeted(smtp.port);
    expect(await client.ask('STARTTLS')).toMatch(/^220 /);
    expect(await client.line()).toBeNull();
  });

  test('one that waits for us is not, until it has the answer and says nothing more', async () => {
    smtp = await startTestSmtp({ idleTimeoutMs: 300 });
    const { port } = smtp;
    smtp.inbox.outcome = async () => {
      // Two others are sent away one after the other meanwhile.
      for (let others = 0; others < 2; others += 1) {
        const other = await RawClient.greeted(port);
        expect(await other.line()).toMatch(/^421 4\.4\.2 /);
      }
      return 'stored';
    };
    const client = await RawClient.greeted(smtp.port);
    expect(await client.mail('hello')).toMatch(/^250 /);
    expect(await client.line()).toMatch(/^421 4\.4\.2 /);
    expect(await client.line()).toBeNull();
  });

  test('a mail that drips in for ever is cut off, and its memory is let go', async () => {
    smtp = await startTestSmtp({ dataTimeoutMs: 50, maxInFlightBytes: 1_000 });
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('x'.repeat(800));
    while (client.unread === '') await client.send('.');
    expect(await client.line()).toBe('421 4.4.2 The message took too long to arrive: closing the connection');
    await client.send('\r\n.\r\n');
    expect(await client.line()).toBeNull();
    const next = await RawClient.greeted(smtp.port);
    expect(await next.mail('y'.repeat(900))).toMatch(/^250 /);
    expect(smtp.inbox.mails).toHaveLength(1);
    next.destroy();
  });

  test('a mail that came in time does not bear on what follows', async () => {
    smtp = await startTestSmtp({ dataTimeoutMs: 500 });
    const client = await RawClient.greeted(smtp.port);
    expect(await client.mail('hello')).toMatch(/^250 /);
    // Until one that began after it has had all of its time.
    const endless = await RawClient.greeted(smtp.port);
    await endless.begin();
    while (endless.unread === '') expect(await client.mail('hello')).toMatch(/^250 /);
    expect(await client.mail('hello')).toMatch(/^250 /);
    client.destroy();
  });
});
