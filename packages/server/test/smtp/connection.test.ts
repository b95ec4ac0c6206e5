import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import type { Limiter } from '../../src/limits/rate-limiter.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { Collector, startTestSmtp, type TestOptions, type TestSmtp, testServer } from './start.js';

const tls = await selfSigned('inbox.example.com');

let smtp: TestSmtp;
let listener: Server | undefined;

afterEach(async () => {
  listener?.close();
  listener = undefined;
  await smtp?.stop(0);
});

/** Connects a client, which gets the greeting. Resolves to the client and the server's side of the connection. */
async function connected(options: TestOptions = {}): Promise<{ client: RawClient; socket: Socket }> {
  const server = testServer({ ...options, tls });
  listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const opened = RawClient.open((listener.address() as AddressInfo).port);
  const [socket] = (await once(listener, 'connection')) as [Socket];
  server.accept(socket, '127.0.0.1');
  const client = await opened;
  await client.reply();
  return { client, socket };
}

describe('a client that sends QUIT', () => {
  test('is disconnected even if it does not close its side', async () => {
    const { client, socket } = await connected({ set: { 'smtp-idle': 600_000 } });
    client.keepOpen();
    expect(await client.ask('QUIT')).toMatch(/^221 /);
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    client.destroy();
  });
});

describe('a client that closes its side', () => {
  const mail = 'MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\nhello\r\n.\r\n';

  test.each(['at once', 'later'])('gets the 250 for a message stored %s if it closes after the dot', async (when) => {
    smtp = await startTestSmtp();
    const stored = when === 'later' ? smtp.inbox.hold() : null;
    const client = await RawClient.greeted(smtp.port);
    await client.send(mail);
    await client.half();
    for (const code of ['250', '250', '354']) expect(await client.reply()).toMatch(code);
    stored?.('stored');
    expect(await client.line()).toBe('250 2.6.0 The mail is stored');
    expect(await client.line()).toBeNull();
    expect(smtp.inbox.mails).toHaveLength(1);
  });

  test('gets replies to commands that it sent after the message', async () => {
    smtp = await startTestSmtp();
    const stored = smtp.inbox.hold();
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('hello\r\n.\r\nNOOP\r\n');
    await client.send('VRFY a\r\n');
    await client.half();
    stored('stored');
    for (const code of ['250 2.6.0', '250 2.0.0', '252']) expect(await client.line()).toContain(code);
    expect(await client.line()).toBeNull();
  });

  test.each(['', 'NO', 'NOOP\r\nMAIL FROM:<a@app.test>\r\n'])(
    'frees its connection if it closes after %j',
    async (last) => {
      smtp = await startTestSmtp({ set: { 'smtp-connections': 1 } });
      const client = await RawClient.greeted(smtp.port);
      await client.send(last);
      await client.half();
      while ((await client.line()) !== null);
      (await onlyClient()).destroy();
    },
  );

  test('loses a message that it has sent only in part', async () => {
    smtp = await startTestSmtp({ set: { 'max-in-flight': 1_000 } });
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('x'.repeat(900));
    await client.half();
    expect(await client.line()).toBeNull();
    const next = await RawClient.greeted(smtp.port);
    expect(await next.mail('y'.repeat(900))).toMatch(/^250 /);
    expect(smtp.inbox.mails).toHaveLength(1);
    next.destroy();
  });
});

describe('an internal error', () => {
  const broken = () => {
    throw new Error('a fault of ours');
  };

  test('makes the server reply 451 and close only the affected connection', async () => {
    smtp = await startTestSmtp();
    const other = await RawClient.greeted(smtp.port);
    smtp.inbox.recipientOf = broken;
    const client = await RawClient.greeted(smtp.port);
    await client.ask('MAIL FROM:<a@app.test>');
    expect(await client.ask('RCPT TO:<demo@inbox.example.com>')).toMatch(/^451 4\.3\.0 /);
    expect(await client.line()).toBeNull();
    expect(await other.ask('NOOP')).toMatch(/^250 /);
    other.destroy();
    expect(smtp.logged.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        facts: { err: expect.any(Error), client: '127.0.0.1' },
        message: 'An SMTP connection failed because of an internal error.',
      },
    ]);
  });
});

/** Opens the only allowed connection, retrying until the server has noticed the end of the previous one. */
async function onlyClient(): Promise<RawClient> {
  let client: RawClient | undefined;
  await expect
    .poll(
      async () => {
        client = await RawClient.open(smtp.port);
        return await client.line();
      },
      { timeout: 20_000 },
    )
    .toMatch(/^220 /);
  return client as RawClient;
}

test('a connection reset at any step logs no warning, and frees the connection and its memory', async () => {
  smtp = await startTestSmtp({ tls, set: { 'smtp-connections': 1, 'max-in-flight': 100 } });
  const steps = [
    'EHLO a',
    'STARTTLS',
    'TLS',
    'EHLO a',
    'AUTH LOGIN',
    'dQ==',
    'dQ==',
    'MAIL FROM:<>',
    'RCPT TO:<a@inbox.example.com>',
    'DATA',
    'x',
  ];
  const moments = steps.flatMap((_, count) => [
    [...steps.slice(0, count)],
    [...steps.slice(2, count)].filter((s) => s !== 'TLS'),
  ]);
  for (const moment of moments) {
    const client = await onlyClient();
    for (const step of moment) {
      if (step === 'TLS') await client.startTls();
      else await client.send(`${step}\r\n`);
    }
    client.reset();
  }
  const last = await onlyClient();
  await last.ask('EHLO a');
  expect(await last.mail('x'.repeat(90))).toMatch(/^250 /);
  expect(smtp.inbox.mails).toHaveLength(1);
  last.destroy();
  // One line per kind of event. Ignores the kind that `onlyClient` causes if it connects too early.
  const told = smtp.logged.filter(({ level }) => level !== 'debug');
  expect(told.filter(({ level }) => level !== 'info')).toEqual([]);
  const kinds = told.map(({ facts }) => (facts as { kind: string }).kind);
  expect(kinds.filter((kind) => kind !== 'too-many-connections').sort()).toEqual(['mail-lost', 'no-mail', 'tls-ended']);
});

test('a client that closes its side before the greeting is greeted and disconnected', async () => {
  smtp = await startTestSmtp();
  expect(await text(connect(smtp.port, '127.0.0.1').end())).toBe('220 inbox.example.com ESMTP Mayfly\r\n');
});

test('a client that sends before the greeting is disconnected', async () => {
  smtp = await startTestSmtp();
  const early = await RawClient.open(smtp.port);
  await early.send('EHLO early.test\r\n');
  expect(await early.line()).toBe('421 4.5.1 Wait for the greeting before sending: closing the connection');
  expect(await early.line()).toBeNull();
});

test('pipelined commands are answered in order, even while a check of the shared rate limit is pending', async () => {
  let uses = 0;
  const mailRate: Limiter = {
    take: () => new Promise((resolve) => setImmediate(resolve, uses++ === 0 ? 0 : 3_500)),
    wait: async () => 0,
  };
  const inbox = new Collector();
  const { client } = await connected({ inbox, mailRate });
  await client.send('EHLO app.test\r\nMAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\n');
  for (const start of [/^250/, /^250 /, /^250 /, /^354 /]) expect(await client.reply()).toMatch(start);
  expect(await client.ask('Subject: a\r\n\r\nb\r\n.')).toMatch(/^250 /);
  expect(inbox.mails).toHaveLength(1);
  expect(await client.ask('MAIL FROM:<a@app.test>')).toBe(
    '451 4.7.1 Too many messages from your address (--smtp-limit): try again in 4 seconds',
  );
  client.destroy();
});
