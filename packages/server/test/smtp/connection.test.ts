import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Quota } from '../../src/fairness/quota.js';
import type { SmtpOptions } from '../../src/smtp/smtp-listener.js';
import { selfSigned } from '../../src/tls/certificate.js';
import { RawClient } from './client.js';
import { type Outcome, startTestSmtp, type TestSmtp, testServer } from './start.js';

const MIB = 1024 * 1024;

/** More than the kernel keeps for both sides of a connection. */
const FLOOD_BYTES = 64 * MIB;

const tls = await selfSigned('inbox.example.com');

let smtp: TestSmtp;
let listener: Server | undefined;

afterEach(async () => {
  listener?.close();
  listener = undefined;
  await smtp?.stop(0);
});

/** A client that has been greeted, and the server's side of its connection. */
async function connected(options: Partial<SmtpOptions> = {}): Promise<{ client: RawClient; socket: Socket }> {
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

/** A store that takes its time, and its answer. */
function slowStore(): (outcome: Outcome) => void {
  let stored: (outcome: Outcome) => void = () => {};
  smtp.inbox.outcome = () =>
    new Promise((resolve) => {
      stored = resolve;
    });
  return (outcome) => stored(outcome);
}

describe('replies', () => {
  test('to one packet are one write', async () => {
    let writes: () => string[] = () => [];
    const server = testServer({ tls });
    listener = createServer((socket) => {
      const write = vi.spyOn(socket, 'write');
      writes = () => write.mock.calls.map(([bytes]) => String(bytes));
      server.accept(socket, '127.0.0.1');
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const client = await RawClient.open((listener.address() as AddressInfo).port);
    await client.reply();
    await client.ask('EHLO app.test');
    await client.send(
      'MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nRCPT TO:<x@other.test>\r\nDATA\r\n',
    );
    for (const code of ['250', '250', '550', '354']) expect(await client.reply()).toMatch(code);
    expect(writes().slice(2)).toEqual([expect.stringMatching(/^250 .*\r\n250 .*\r\n550 .*\r\n354 .*\r\n$/)]);
    client.destroy();
  });

  test('that a client does not read are not made without end, and it is sent away', async () => {
    const { client, socket } = await connected({ idleTimeoutMs: 500 });
    client.deafen();
    client.flood(Buffer.alloc(FLOOD_BYTES, 'NOOP\r\n'));
    // What the server has said and the kernel does not take any more.
    for (; !socket.writableEnded; await turn()) expect(socket.writableLength).toBeLessThan(MIB);
    const before = socket.bytesRead;
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    // It is read again, so that its end is noticed, but not all of it.
    expect(socket.bytesRead).toBeGreaterThan(before);
    expect(socket.bytesRead).toBeLessThan(FLOOD_BYTES);
    client.destroy();
  });
});

describe('a client that says QUIT', () => {
  test('and does not close its side is closed', async () => {
    const { client, socket } = await connected({ idleTimeoutMs: 600_000 });
    client.keepOpen();
    expect(await client.ask('QUIT')).toMatch(/^221 /);
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    client.destroy();
  });

  test('and reads nothing any more is closed after the idle time', async () => {
    const { client, socket } = await connected({ idleTimeoutMs: 500 });
    client.keepOpen();
    client.deafen();
    // Until the kernel takes no more of the replies.
    while (socket.writableLength === 0 && !socket.destroyed) await client.send('HELP\r\n'.repeat(50));
    await client.send('QUIT\r\n');
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    client.destroy();
  });
});

describe('a client that was sent away', () => {
  /** What is not HTTP to this server, as it says. */
  const GOODBYE = 'GET / HTTP/1.1';
  const CLOSING_MS = 5_000;

  test('and does not close its side is closed five seconds later', async () => {
    const { client, socket } = await connected({ idleTimeoutMs: 600_000 });
    client.keepOpen();
    expect(await client.ask(GOODBYE)).toMatch(/^421 /);
    // Timers end in the order of their times, however busy the machine is: that of the server has begun before.
    expect(await new Promise((resolve) => setTimeout(() => resolve(socket.destroyed), CLOSING_MS / 2))).toBe(false);
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    client.destroy();
  });

  test('is not read without end', async () => {
    const { client, socket } = await connected();
    client.keepOpen();
    expect(await client.ask(GOODBYE)).toMatch(/^421 /);
    client.flood(Buffer.alloc(FLOOD_BYTES));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesRead).toBeLessThan(FLOOD_BYTES / 2);
    client.destroy();
  });

  test('is read until it closes its side', async () => {
    const { client, socket } = await connected();
    client.keepOpen();
    expect(await client.ask(GOODBYE)).toMatch(/^421 /);
    const more = Buffer.alloc(200_000);
    await client.send(more);
    await client.half();
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesRead).toBe(`${GOODBYE}\r\n`.length + more.length);
  });
});

describe('what comes while a mail is stored', () => {
  test('is not read without end', async () => {
    smtp = await startTestSmtp();
    const stored = slowStore();
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('hello\r\n.\r\n');
    const unsent = await floodUntilStuck(client, Buffer.alloc(FLOOD_BYTES, 'NOOP\r\n'));
    expect(unsent).toBeGreaterThan(FLOOD_BYTES / 2);
    stored('stored');
    expect(await client.line()).toBe('250 2.6.0 The mail is stored');
    expect(await client.line()).toBe('250 2.0.0 OK');
    client.destroy();
  });

  test('is not lost where it came behind a mail that had waited itself', async () => {
    smtp = await startTestSmtp();
    const stored = slowStore();
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    const envelope = 'MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\n';
    await client.send(`one\r\n.\r\n${envelope}two\r\n.\r\nVRFY a\r\n`);
    stored('stored');
    for (const code of ['250 2.6.0', '250', '250', '354']) expect(await client.line()).toContain(code);
    await client.send('NOOP\r\n');
    stored('stored');
    for (const code of ['250 2.6.0', '252', '250 2.0.0 OK']) expect(await client.line()).toContain(code);
    expect(smtp.inbox.mails).toHaveLength(2);
    client.destroy();
  });

  test('is answered afterwards, whether it came with the mail or behind it', async () => {
    smtp = await startTestSmtp();
    const stored = slowStore();
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('hello\r\n.\r\nNOOP\r\nRS');
    await client.send('ET\r\nVRFY a\r\n');
    await client.send('QUIT\r\n');
    stored('stored');
    for (const code of ['250 2.6.0', '250 2.0.0 OK', '250 2.0.0 Flushed', '252', '221']) {
      expect(await client.line()).toContain(code);
    }
    expect(await client.line()).toBeNull();
  });
});

/** Sends until the server has taken nothing for some turns of the event loop, or has closed; returns how much was not sent. */
async function floodUntilStuck(client: RawClient, bytes: Uint8Array): Promise<number> {
  let unsent = client.flood(bytes);
  for (let still = 0; still < 2_000; still += 1) {
    await turn();
    // On a busy machine the idle time may be over by now, and what is not sent then is thrown away.
    if (client.hasEnded) break;
    const left = client.flood(Buffer.of());
    if (left !== unsent) still = 0;
    unsent = left;
  }
  return unsent;
}

describe('a client that closes its side', () => {
  const mail = 'MAIL FROM:<a@app.test>\r\nRCPT TO:<demo@inbox.example.com>\r\nDATA\r\nhello\r\n.\r\n';

  test.each(['at once', 'later'])(
    'after the final dot still gets its 250, when the mail is stored %s',
    async (when) => {
      smtp = await startTestSmtp();
      const stored = when === 'later' ? slowStore() : null;
      const client = await RawClient.greeted(smtp.port);
      await client.send(mail);
      await client.half();
      for (const code of ['250', '250', '354']) expect(await client.reply()).toMatch(code);
      stored?.('stored');
      expect(await client.line()).toBe('250 2.6.0 The mail is stored');
      expect(await client.line()).toBeNull();
      expect(smtp.inbox.mails).toHaveLength(1);
    },
  );

  test('with commands behind the mail gets the answers to these, too', async () => {
    smtp = await startTestSmtp();
    const stored = slowStore();
    const client = await RawClient.greeted(smtp.port);
    await client.begin();
    await client.send('hello\r\n.\r\nNOOP\r\n');
    await client.send('VRFY a\r\n');
    await client.half();
    stored('stored');
    for (const code of ['250 2.6.0', '250 2.0.0', '252']) expect(await client.line()).toContain(code);
    expect(await client.line()).toBeNull();
  });

  test.each(['', 'NO', 'NOOP\r\nMAIL FROM:<a@app.test>\r\n'])('after %j is let go', async (last) => {
    smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
    const client = await RawClient.greeted(smtp.port);
    await client.send(last);
    await client.half();
    while ((await client.line()) !== null);
    (await onlyClient()).destroy();
  });

  test('in the middle of a mail has it dropped', async () => {
    smtp = await startTestSmtp({ maxInFlightBytes: 1_000 });
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

describe('an error of our own', () => {
  const broken = () => {
    throw new Error('a fault of ours');
  };

  test('in a command is a 451 and the end of the connection, and of no other', async () => {
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

  test('at the end of a mail is the same', async () => {
    smtp = await startTestSmtp({ now: broken });
    const client = await RawClient.greeted(smtp.port);
    expect(await client.mail('hello')).toMatch(/^451 4\.3\.0 /);
    expect(await client.line()).toBeNull();
  });

  test('while the answer to a mail is said is no crash', async () => {
    const { client, socket } = await connected();
    await client.ask('EHLO app.test');
    await client.begin();
    vi.spyOn(socket, 'write').mockImplementationOnce(broken);
    await client.send('hello\r\n.\r\n');
    expect(await client.reply()).toMatch(/^451 4\.3\.0 /);
    expect(await client.line()).toBeNull();
  });

  test('before the greeting is a 421', async () => {
    const errors: string[] = [];
    const silent = () => {};
    const server = testServer(
      { tls, log: { debug: silent, info: silent, warn: silent, error: (_, text) => errors.push(text) } },
      {
        connections: new (class extends Quota {
          override take = broken;
        })({ total: 1, perClient: 1 }),
      },
    );
    const { port } = await server.listen(0, '127.0.0.1');
    const client = await RawClient.open(port);
    expect(await client.line()).toMatch(/^421 4\.3\.0 /);
    expect(await client.line()).toBeNull();
    expect(errors).toEqual(['An SMTP connection could not be served.']);
    await server.stop(0);
  });

  test('while a connection begins is the same, and takes no place from the next', async () => {
    // A time that no socket takes.
    const server = testServer({ tls, maxConnectionsPerClient: 1, idleTimeoutMs: -1 });
    const { port } = await server.listen(0, '127.0.0.1');
    const ask = async () => {
      const client = await RawClient.open(port);
      const words = await client.line();
      expect(await client.line()).toBeNull();
      return words;
    };
    expect(await ask()).toMatch(/^421 4\.3\.0 /);
    await expect.poll(ask).toMatch(/^421 4\.3\.0 /);
    await server.stop(0);
  });
});

test('a client that goes before its mail is stored has its place back only then', async () => {
  smtp = await startTestSmtp({ maxConnectionsPerClient: 1 });
  const stored = slowStore();
  const client = await RawClient.greeted(smtp.port);
  await client.begin();
  await client.send('hello\r\n.\r\n');
  client.reset();
  for (let attempts = 0; attempts < 20; attempts += 1) {
    const next = await RawClient.open(smtp.port);
    expect(await next.line()).toMatch(/^421 4\.7\.0 /);
    next.destroy();
  }
  stored('stored');
  (await onlyClient()).destroy();
  expect(smtp.inbox.mails).toHaveLength(1);
});

test('a mail whose client goes before it is stored keeps its memory until then', async () => {
  smtp = await startTestSmtp();
  const stored = slowStore();
  const gone = await RawClient.greeted(smtp.port);
  await gone.begin();
  await gone.send('the first\r\n.\r\n');
  gone.reset();
  // By the time that others are answered, the server has seen the reset.
  for (let others = 0; others < 20; others += 1) {
    const other = await RawClient.greeted(smtp.port);
    await other.begin();
    await other.send('another!!');
  }
  stored('stored');
  await expect.poll(() => smtp.inbox.mails.length).toBe(1);
  expect(Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString()).toBe('the first\r\n');
});

/** The one connection that the client may have, once the one before is gone. */
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

test('a reset at any moment is no complaint, and leaves nothing behind', async () => {
  smtp = await startTestSmtp({ tls, maxConnectionsPerClient: 1, maxInFlightBytes: 100 });
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
  last.destroy();
  // Of each kind one line, however often it came. Whether a client meets the one before, which is about to end, is chance.
  const told = smtp.logged.filter(({ level }) => level !== 'debug');
  expect(told.filter(({ level }) => level !== 'info')).toEqual([]);
  const kinds = told.map(({ facts }) => (facts as { kind: string }).kind);
  expect(kinds.filter((kind) => kind !== 'too-many-connections').sort()).toEqual(['mail-lost', 'no-mail', 'tls-ended']);
});
