import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openMessage, type ReceivedMail } from '../../../src/inbox/ingest/stored-message.js';
import { type Ingest, ingesterOf, LOOP_BYTES, TINY_BYTES } from '../../../src/inbox/threads/ingester.js';
import { newThreads } from './threads.js';

const CLIENT = '192.0.2.1';

/** Creates an ingester like the service's. Also returns its log and the messages that it parsed on the event loop. */
function newIngester(threads = newThreads(), parse?: Ingest) {
  const lines: string[] = [];
  const stream = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
  onTestFinished(() => threads.close());
  const readHere: Uint8Array[] = [];
  async function load() {
    const { ingest } = await import('../../../src/inbox/threads/tasks.js');
    return (mail: ReceivedMail) => {
      readHere.push(mail.raw);
      return (parse ?? ingest)(mail);
    };
  }
  const ingester = ingesterOf({ threads, log: pino(stream), load });
  return { ingester, threads, readHere, errors: () => lines.map((line) => JSON.parse(line)) };
}

function mailOf(bytes: number): ReceivedMail {
  const raw = Buffer.alloc(bytes, 'x');
  raw.write('Subject: Hello\r\n\r\nYour code is 482913\r\n');
  const generatedId = '<made@inbox.example.com>';
  return { raw, envelopeFrom: 'bounce@app.test', generatedId, recipientBytes: 0, recipients: null };
}

async function storedValue(record: Uint8Array, name: 'subject' | 'from' | 'id'): Promise<string> {
  return JSON.parse((await openMessage({ first: record, rest: null })).json(name).toString());
}

test('a message is stored even if a stop prevents its parsing, and no stack is logged', async () => {
  const { ingester, threads, errors } = newIngester();
  const ingested = ingester.ingest(mailOf(1_000_000), CLIENT);
  await threads.close();
  const [, record] = await ingested;
  expect(await storedValue(record, 'id')).toBe('<made@inbox.example.com>');
  expect(errors()).toEqual([expect.objectContaining({ level: 40, bytes: 1_000_000 })]);
  expect(errors()[0].err).toBeUndefined();
});

test('a message is stored even if its parser thread fails, and the reason is logged', async () => {
  const missing = new URL('./no-such-worker.js', import.meta.url);
  const { ingester, errors } = newIngester(newThreads({ worker: missing }));
  const [, record] = await ingester.ingest(mailOf(1_000_000), CLIENT);
  expect(await storedValue(record, 'subject')).toBe('');
  expect(await storedValue(record, 'from')).toBe('bounce@app.test');
  expect(await storedValue(record, 'id')).toBe('<made@inbox.example.com>');
  expect(errors()).toMatchObject([{ level: 50, bytes: 1_000_000, err: { message: expect.stringMatching(/./) } }]);
  expect(errors()[0].err.stack).toContain('\n');
});

test('a small message that arrives alone is parsed on the event loop, without a thread', async () => {
  const { ingester, threads, readHere } = newIngester();
  const mail = mailOf(LOOP_BYTES);
  for (let n = 0; n < 20; n++) {
    const [, record] = await ingester.ingest(mail, CLIENT);
    expect(await storedValue(record, 'subject')).toBe('Hello');
  }
  expect(readHere).toEqual(Array(20).fill(mail.raw));
  expect(threads.hasThread).toBe(false);
});

test('tiny messages are parsed immediately on the event loop, for a bounded share of its time', async () => {
  const { ingester, readHere } = newIngester();
  await ingester.prepare();
  for (let n = 0; readHere.length === n; n++) void ingester.ingest(mailOf(TINY_BYTES), CLIENT);
  expect(readHere.length).toBeGreaterThan(0);
});

test('tiny messages at which the parser throws are stored unread, and count toward the share', async () => {
  const { ingester, readHere, errors } = newIngester(newThreads(), () => {
    for (const end = performance.now() + 3; performance.now() < end; );
    throw new RangeError('A planted fault');
  });
  await ingester.prepare();
  const ingested = Array.from({ length: 10 }, () => ingester.ingest(mailOf(TINY_BYTES), CLIENT));
  expect(readHere.length).toBeLessThanOrEqual(4);
  for (const [, record] of await Promise.all(ingested)) expect(await storedValue(record, 'id')).toContain('<made@');
  expect(errors()[0]).toMatchObject({ level: 50, bytes: TINY_BYTES, err: { message: 'A planted fault' } });
});

test('larger messages, and messages that arrive in a burst, are parsed in threads', async () => {
  const { ingester, threads, readHere } = newIngester();
  await ingester.ingest(mailOf(LOOP_BYTES + 1), CLIENT);
  expect(threads.hasThread).toBe(true);
  const burst = Array.from({ length: 20 }, () => ingester.ingest(mailOf(1_000), CLIENT));
  for (const [, record] of await Promise.all(burst)) expect(await storedValue(record, 'subject')).toBe('Hello');
  expect(readHere).toEqual([]);
});
