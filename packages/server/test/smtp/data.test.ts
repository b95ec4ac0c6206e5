import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limiterOf } from '../../src/limits/rate-limiter.js';
import { RawClient } from './client.js';
import { type Outcome, startTestSmtp, type TestSmtp } from './start.js';

/** Returns what a client sends after DATA (RFC 5321 section 4.5.2) for a message that is empty or ends with CRLF. */
function stuffed(message: Uint8Array): Buffer {
  const lines = Buffer.from(message).toString('latin1').split('\r\n');
  const sent = lines.map((line) => (line.startsWith('.') ? `.${line}` : line)).join('\r\n');
  return Buffer.from(`${sent}.\r\n`, 'latin1');
}

let smtp: TestSmtp;
let client: RawClient;

beforeEach(async () => {
  smtp = await startTestSmtp({ mailRate: limiterOf(null) });
  client = await RawClient.greeted(smtp.port);
});

afterEach(async () => {
  client.destroy();
  await smtp.stop(0);
});

test('DATA stores any bytes exactly as sent, however they are split into packets', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.constantFrom(13, 10, 46, 0, 255)).map((list) => Uint8Array.from(list)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 5 }), async (content, lengths) => {
      const whole = Buffer.concat([content, Buffer.from('\r\n')]);
      let rest = stuffed(whole);
      await client.begin();
      for (const length of lengths) {
        await client.send(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
      await client.send(rest);
      expect(await client.reply()).toBe('250 2.6.0 The mail is stored');
      expect(Buffer.compare(smtp.inbox.mails.at(-1)?.raw ?? Buffer.of(), whole)).toBe(0);
    }),
    { numRuns: 200 },
  );
});

test('a small message does not keep the memory of the commands that arrived with it', async () => {
  let heldBytes = 0;
  smtp.inbox.deliver = async ({ raw }) => {
    heldBytes = raw.buffer.byteLength;
    return { stored: true, receivedAt: [0] };
  };
  const command = `NOOP ${'x'.repeat(9_000)}\r\n`;
  await client.send(`${command.repeat(3)}MAIL FROM:<>\r\nRCPT TO:<a@inbox.example.com>\r\nDATA\r\nhello\r\n.\r\n`);
  for (let replies = 0; replies < 6; replies += 1) await client.reply();
  expect(await client.reply()).toMatch(/^250 2\.6\.0 /);
  expect(heldBytes).toBe('hello\r\n'.length);
});

test('DATA stores a large message that arrives byte by byte', async () => {
  const content = `${'..\r\n\r.\n'.repeat(700)}end\r\n`;
  await client.begin();
  for (const byte of stuffed(Buffer.from(content))) await client.send(Uint8Array.of(byte));
  expect(await client.reply()).toMatch(/^250 /);
  expect(Buffer.from(smtp.inbox.mails[0]?.raw ?? []).toString()).toBe(content);
});

test('DATA sends the 250 once the message is stored, and not before', async () => {
  const stored = smtp.inbox.hold();
  await client.begin();
  await client.send('hello\r\n.\r\nNOOP\r\n');
  expect(client.unread).toBe('');
  stored('stored');
  expect(await client.reply()).toBe('250 2.6.0 The mail is stored');
  expect(await client.reply()).toBe('250 2.0.0 OK');
});

test.each<[Outcome, string]>([
  ['inbox-full', '452 4.2.2 The inbox is full (--max-emails): try again when its mail has expired'],
  [
    'store-full',
    '452 4.3.1 The store is full (--store-quota, or maxmemory of Redis): try again when older mail has expired',
  ],
])('DATA replies to %s, and accepts the next message', async (outcome, reply) => {
  smtp.inbox.outcome = async () => outcome;
  expect(await client.mail('refused')).toBe(reply);
  smtp.inbox.outcome = async () => 'stored';
  expect(await client.mail('taken')).toMatch(/^250 /);
  expect(smtp.inbox.mails).toHaveLength(1);
});

test('DATA replies 451 and logs the error if the store fails, and accepts the next message', async () => {
  smtp.inbox.outcome = async () => {
    throw new Error('disk on fire');
  };
  expect(await client.mail('my secret')).toBe('451 4.3.0 Internal error, and the mail was not stored: try again');
  const errors = smtp.logged.filter(({ level }) => level === 'error');
  expect(errors).toEqual([
    { level: 'error', facts: { err: expect.any(Error), client: '127.0.0.1' }, message: 'Storing a message failed.' },
  ]);
  smtp.inbox.outcome = async () => 'stored';
  expect(await client.mail('taken')).toMatch(/^250 /);
});

test('the receivedAt of a message is the time at which DATA ended', async () => {
  let now = 1_000;
  const timed = await startTestSmtp({ now: () => now });
  const sender = await RawClient.greeted(timed.port);
  await sender.begin();
  await sender.send('hello\r\n');
  now = 2_000;
  timed.inbox.outcome = async () => {
    now = 3_000;
    return 'stored';
  };
  expect(await sender.ask('.')).toMatch(/^250 /);
  expect(timed.inbox.mails[0]?.receivedAt).toBe(2_000);
  sender.destroy();
  await timed.stop(0);
});
