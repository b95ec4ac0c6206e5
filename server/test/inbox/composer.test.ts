import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Composition } from '../../dist/inbox/threads/compose.js';
import { AT_ONCE_BYTES, Composer } from '../../dist/inbox/threads/composer.js';
import { ThreadPool } from '../../dist/inbox/threads/pool.js';
import { openMessage } from '../../src/inbox/stored-message.js';

const closing: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

/** A log, and the lines that were written to it. */
function newLog() {
  const lines: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  return { log: pino(stream), errors: () => lines.map((line) => JSON.parse(line)) };
}

/** A composer as the service has it (its threads run compiled code), and what it logs. */
function newComposer() {
  const { log, errors } = newLog();
  const composer = new Composer(log);
  closing.push(composer);
  return { composer, errors };
}

function compositionOf(bytes: number): Composition {
  const raw = Buffer.alloc(bytes, 'x');
  raw.write('Subject: Hello\r\n\r\nYour code is 482913\r\n');
  return { raw, envelopeFrom: 'bounce@app.test', generatedId: '<made@inbox.test>' };
}

async function storedValue(record: Uint8Array, name: 'subject' | 'from' | 'id'): Promise<string> {
  return JSON.parse((await openMessage({ first: record, rest: null })).json(name).toString());
}

test.each([1_000, AT_ONCE_BYTES, AT_ONCE_BYTES + 1, 1_000_000])('a message of %i bytes is read', async (bytes) => {
  const { composer, errors } = newComposer();
  const { record } = await composer.compose(compositionOf(bytes));
  expect(await storedValue(record, 'subject')).toBe('Hello');
  expect(errors()).toEqual([]);
});

test('a large message whose thread fails is kept unread, and the log says why', async () => {
  const { composer, errors } = newComposer();
  // A thread that is ended fails like one that has run out of memory or of time.
  const composed = composer.compose(compositionOf(1_000_000));
  await composer.close();
  const { record } = await composed;
  expect(await storedValue(record, 'subject')).toBe('');
  expect(await storedValue(record, 'from')).toBe('bounce@app.test');
  expect(await storedValue(record, 'id')).toBe('<made@inbox.test>');
  expect(errors()).toMatchObject([{ level: 50, bytes: 1_000_000, err: { message: expect.stringMatching(/./) } }]);
  expect(errors()[0].err.stack).toContain('\n');
});

test.each([
  { what: 'what cannot be read', input: { ...compositionOf(10), raw: 5 } },
  { what: 'what cannot be sent to a thread', input: { ...compositionOf(10), raw: () => 1 } },
])('a thread that is given $what says what is wrong, in the log too', async ({ input }) => {
  const pool = new ThreadPool(1);
  closing.push(pool);
  const { log, errors } = newLog();
  log.error({ err: await pool.run('compose', input as never).then(String, (reason) => reason) });
  expect(errors()).toMatchObject([{ err: { message: expect.stringMatching(/./) } }]);
  expect(errors()[0].err.stack).toContain('\n');
});
