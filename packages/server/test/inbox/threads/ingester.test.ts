import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.js';
import { openMessage } from '../../../src/inbox/ingest/stored-message.js';
import type { ReceivedMail } from '../../../src/inbox/threads/ingested-mail.js';
import { Ingester } from '../../../src/inbox/threads/ingester.js';
import type { ReadingThreads } from '../../../src/inbox/threads/reading-threads.js';
import { newThreads } from './threads.js';

const ALONE = { client: '192.0.2.1', isAlone: true };

const opened: ReadingThreads[] = [];

afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});

/** An ingester as the service has it, what it logs, and which messages it has read on the event loop. */
function newIngester(clock: Clock = systemClock, threads = newThreads()) {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  opened.push(threads);
  const readHere: Uint8Array[] = [];
  async function load() {
    const { ingest } = await import('../../../src/inbox/threads/tasks.js');
    return (mail: ReceivedMail) => {
      readHere.push(mail.raw);
      return ingest(mail);
    };
  }
  const ingester = new Ingester({ threads, clock, log: pino(stream), load });
  return { ingester, threads, readHere, errors: () => lines.map((line) => JSON.parse(line)) };
}

function mailOf(bytes: number): ReceivedMail {
  const raw = Buffer.alloc(bytes, 'x');
  raw.write('Subject: Hello\r\n\r\nYour code is 482913\r\n');
  return {
    raw,
    envelopeFrom: 'bounce@app.test',
    generatedId: '<made@inbox.example.com>',
    recipientBytes: 0,
    recipients: null,
  };
}

async function storedValue(record: Uint8Array, name: 'subject' | 'from' | 'id'): Promise<string> {
  return JSON.parse((await openMessage({ first: record, rest: null })).json(name).toString());
}

test('keeps a message that was not parsed before the stop, and logs no stack', async () => {
  const { ingester, threads, errors } = newIngester();
  const ingested = ingester.ingest(mailOf(1_000_000), ALONE);
  await threads.close();
  const { record } = await ingested;
  expect(await storedValue(record, 'id')).toBe('<made@inbox.example.com>');
  expect(errors()).toEqual([expect.objectContaining({ level: 40, bytes: 1_000_000 })]);
  expect(errors()[0].err).toBeUndefined();
});

test('keeps a message whose parser thread fails, and logs why', async () => {
  const missing = new URL('./no-such-worker.js', import.meta.url);
  const { ingester, errors } = newIngester(systemClock, newThreads({ worker: missing }));
  const { record } = await ingester.ingest(mailOf(1_000_000), ALONE);
  expect(await storedValue(record, 'subject')).toBe('');
  expect(await storedValue(record, 'from')).toBe('bounce@app.test');
  expect(await storedValue(record, 'id')).toBe('<made@inbox.example.com>');
  expect(errors()).toMatchObject([{ level: 50, bytes: 1_000_000, err: { message: expect.stringMatching(/./) } }]);
  expect(errors()[0].err.stack).toContain('\n');
});
