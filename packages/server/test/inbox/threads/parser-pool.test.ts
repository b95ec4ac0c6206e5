import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { ParserPool, ParserPoolOptions } from '../../../src/inbox/threads/parser-pool.js';
import { IDLE_THREAD_MS, PARSING_LIMIT_MS } from '../../../src/inbox/threads/parser-pool.js';
import { ManualClock } from '../../manual-clock.js';
import { newThreads } from './threads.js';

const STRANGE = new URL('./strange-worker.js', import.meta.url);
const DETAILS = { envelopeFrom: '', generatedId: '<made@inbox.example.com>', recipientBytes: 0, recipients: null };

/** Creates parser threads that behave as a message requests (see strange-worker.js). */
function strangeThreads(options: Partial<ParserPoolOptions> = {}): ParserPool {
  const threads = newThreads({ worker: STRANGE, ...options });
  onTestFinished(() => threads.close());
  return threads;
}

/** Parses a message; resolves to the thread's result. */
async function read(threads: ParserPool, text: string, client = 'a', signal?: AbortSignal): Promise<string> {
  const pieces = [Buffer.from(text)];
  const [index] = await threads.run('ingest', DETAILS, { client, pieces, ...(signal && { signal }) });
  return Buffer.from(index).toString();
}

test('a task that throws in a parser thread rejects with that error and its stack, and the thread continues', async () => {
  const threads = strangeThreads();
  const [failed, fine] = await Promise.allSettled([read(threads, 'throw'), read(threads, 'fine')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'This message cannot be read.' } });
  expect((failed as PromiseRejectedResult).reason.stack).toContain('strange-worker.js');
  expect(fine).toEqual({ status: 'fulfilled', value: 'index of fine' });
});

test.each([
  ['exit', 'The parser thread ended before it had parsed the message.'],
  ['heap', /memory limit/],
])('if a parser thread ends (%s), only the message that it was parsing is rejected', async (poison, reason) => {
  const threads = strangeThreads();
  const before = Array.from({ length: 5 }, (_, n) => read(threads, `before ${n}`));
  const poisoned = read(threads, poison);
  const ended: number[] = [];
  const after = Array.from({ length: 5 }, async (_, n) => {
    const index = await read(threads, `after ${n}`);
    ended.push(n);
    return index;
  });
  await expect(poisoned).rejects.toThrow(reason);
  expect(await Promise.all(before)).toEqual(before.map((_, n) => `index of before ${n}`));
  expect(await Promise.all(after)).toEqual(after.map((_, n) => `index of after ${n}`));
  // The messages are parsed again in their original order.
  expect(ended).toEqual([0, 1, 2, 3, 4]);
});

test('a message that takes too long to parse is rejected, and earlier and later messages are parsed', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  const hangs = () => once(new BroadcastChannel('strange') as unknown as EventTarget, 'message');
  const [inBatch, before] = [hangs(), read(threads, 'before')];
  const hung = read(threads, 'hang').catch(String);
  const after = read(threads, 'after');
  await inBatch;
  const alone = hangs();
  await clock.advance(PARSING_LIMIT_MS);
  await alone;
  await clock.advance(PARSING_LIMIT_MS);
  expect(await hung).toContain(`took more than ${PARSING_LIMIT_MS} ms`);
  expect(await Promise.all([before, after])).toEqual(['index of before', 'index of after']);
});

test('a thread that was idle for a minute is stopped, and another starts for the next message', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  const first = await read(threads, 'which');
  await clock.advance(IDLE_THREAD_MS - 1);
  expect(threads.hasThread).toBe(true);
  expect(await read(threads, 'which')).toBe(first);
  await clock.advance(IDLE_THREAD_MS - 1);
  expect(threads.hasThread).toBe(true);
  await clock.advance(1);
  expect(threads.hasThread).toBe(false);
  expect(await read(threads, 'which')).not.toBe(first);
});

test('waiting messages are rejected if the system cannot start a thread', async () => {
  // Node throws immediately for this URL, as it would if the system could not start a thread.
  const threads = strangeThreads({ worker: new URL('https://inbox.example.com/worker.js') });
  await expect(read(threads, 'first')).rejects.toThrow('No parser thread can be started');
  await expect(read(threads, 'second')).rejects.toThrow('No parser thread can be started');
});

test('after parsing a message, the event loop is left free for as long as the parsing took', async () => {
  const clock = new ManualClock();
  let now = 0;
  const threads = newThreads({ clock: { ...clock, after: clock.after.bind(clock), monotonic: () => now } });
  onTestFinished(() => threads.close());
  const parsed: string[] = [];
  const parse = (text: string) =>
    threads.run('ingest', DETAILS, {
      ...{ client: 'a', pieces: [Buffer.from(text)] },
      onLoop: () => {
        parsed.push(text);
        now += 7;
        return [Buffer.from(text)];
      },
    });
  await parse('first');
  const second = parse('second');
  await clock.advance(6);
  expect(parsed).toEqual(['first']);
  now += 7;
  await clock.advance(1);
  await second;
  expect([parsed, threads.hasThread]).toEqual([['first', 'second'], false]);
});
