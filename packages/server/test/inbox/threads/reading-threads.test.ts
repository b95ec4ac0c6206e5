import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { READING_LIMIT_MS, ReadingThread } from '../../../src/inbox/threads/reading-thread.js';
import {
  IDLE_THREAD_MS,
  LOOP_MESSAGES,
  type ReadingThreads,
  type ReadingThreadsOptions,
  SMALL_BYTES,
  START_PAUSE_MS,
} from '../../../src/inbox/threads/reading-threads.js';
import { ingest } from '../../../src/inbox/threads/tasks.js';
import { ManualClock } from '../../manual-clock.js';
import { newThreads } from './threads.js';

/** How long what must come may take on a busy machine. */
const PATIENCE = { timeout: 20_000, interval: 5 };

const STRANGE = new URL('./strange-worker.js', import.meta.url);
/** A thread that can take work, tells how much it was handed, and dies of it. */
const ENDS_AT_ONCE = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (batch) => {
    new BroadcastChannel('handed').postMessage(batch.length);
    process.exit(1);
  });
  parentPort.postMessage('ready');
`;
/** How long a message takes at least that says so. */
const SLOW_MS = 5;

const DETAILS = { envelopeFrom: '', generatedId: '<made@inbox.example.com>', recipientBytes: 0, recipients: null };

const opened: ReadingThreads[] = [];

afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.close();
});

/** Threads that do what a message says (see strange-worker.js). */
function strangeThreads(options: Partial<ReadingThreadsOptions> = {}): ReadingThreads {
  const threads = newThreads({ worker: STRANGE, ...options });
  opened.push(threads);
  return threads;
}

/** Reads a message; resolves to what the thread says of it. */
async function read(threads: ReadingThreads, text: string, client = 'a', signal?: AbortSignal): Promise<string> {
  const pieces = [Buffer.from(text)];
  const [index] = await threads.run('ingest', DETAILS, { client, pieces, ...(signal && { signal }) });
  return Buffer.from(index).toString();
}

/** A message in shared memory that is being read until its gate is opened. */
function gate(bytes = SMALL_BYTES + 1) {
  const message = new Uint8Array(new SharedArrayBuffer(bytes));
  message.set(Buffer.from('gate'));
  return { message, open: () => Atomics.store(message, 0, 0), isReached: () => Atomics.load(message, 1) === 0 };
}

function readLarge(threads: ReadingThreads, message: Uint8Array, client = 'a') {
  return threads.run('ingest', DETAILS, { client, pieces: [message] });
}

test('many messages at once each get their own answer', async () => {
  const threads = strangeThreads({ count: 2 });
  const texts = Array.from({ length: 300 }, (_, n) => `message ${n}`);
  const answers = await Promise.all(texts.map((text, n) => read(threads, text, `client ${n % 7}`)));
  expect(answers).toEqual(texts.map((text) => `index of ${text}`));
});

test('a message in pieces is read as one', async () => {
  const threads = strangeThreads();
  const pieces = ['mess', 'age', ' in pieces'].map((text) => Buffer.from(text));
  const [index, record] = await threads.run('ingest', DETAILS, { client: 'a', pieces });
  expect(Buffer.from(index).toString()).toBe('index of message in pieces');
  expect(Buffer.from(record).toString()).toBe('record of message in pieces');
});

test('so is a large one, whose pieces are in shared memory', async () => {
  const threads = strangeThreads();
  const pieces = ['all of ', 'x'.repeat(SMALL_BYTES), ' and the end'].map((text) => {
    const piece = new Uint8Array(new SharedArrayBuffer(text.length));
    piece.set(Buffer.from(text));
    return piece;
  });
  const [index] = await threads.run('ingest', DETAILS, { client: 'a', pieces });
  expect(Buffer.from(index).equals(Buffer.concat(pieces))).toBe(true);
});

test('what a thread finds arrives whole, also where it takes as many bytes as the memory that Node shares out', async () => {
  const raw = Buffer.from('Subject: Hello\r\n\r\nYour code is 482913\r\n');
  // The recipients are in the record alone: each character makes that longer by a byte.
  const details = (padding: number) => ({ ...DETAILS, recipients: ['x'.repeat(padding)] });
  const found = (padding: number) => {
    const { index, record, summary } = ingest({ raw, ...details(padding) });
    return [index, record, summary];
  };
  const padding = Buffer.poolSize - Buffer.concat(found(0)).length;
  expect(Buffer.concat(found(padding)).length).toBe(Buffer.poolSize);
  const threads = newThreads();
  opened.push(threads);
  const read = await threads.run('ingest', details(padding), { client: 'a', pieces: [raw] });
  expect(read.map((piece) => Buffer.from(piece))).toEqual(found(padding).map((piece) => Buffer.from(piece)));
});

test('a message that is read is told of while the one behind it in its batch still takes its time', async () => {
  // By this clock no time passes, so the one that hangs is never given up.
  const threads = strangeThreads({ clock: new ManualClock() });
  const slow = read(threads, 'slow');
  const hanging = read(threads, 'hang');
  expect(await slow).toBe('index of slow');
  await threads.close();
  await expect(hanging).rejects.toThrow('closed');
});

describe('while there is no thread', () => {
  /** Threads, how many began, and messages that the event loop may read. */
  function countedThreads(options: Partial<ReadingThreadsOptions> = {}) {
    const counted = { begun: 0 };
    const note = () => {
      counted.begun += 1;
    };
    process.on('worker', note);
    onTestFinished(() => void process.off('worker', note));
    const threads = strangeThreads({ count: 4, ...options });
    let pause = 0;
    const onLoop = (text: string) => ({
      pauseMs: () => pause,
      read: () => {
        if (text === 'throw') throw new Error('This message cannot be read.');
        return [Buffer.from(`${text} on the loop`)];
      },
    });
    const readAnywhere = async (text: string, client = 'a') => {
      const pieces = [Buffer.from(text)];
      const [index] = await threads.run('ingest', DETAILS, { client, pieces, onLoop: onLoop(text) });
      return Buffer.from(index).toString();
    };
    const setPause = (ms: number) => {
      pause = ms;
    };
    return { threads, counted, readAnywhere, setPause };
  }

  test('the event loop reads a few messages, in turns by client, and none begins', async () => {
    const { counted, readAnywhere } = countedThreads();
    const ended: string[] = [];
    const clients = ['flood', 'flood', 'flood', 'flood', 'other'];
    const texts = await Promise.all(
      clients.map((client) => readAnywhere('mail', client).finally(() => ended.push(client))),
    );
    expect(texts).toEqual(clients.map(() => 'mail on the loop'));
    expect(ended.indexOf('other')).toBeLessThan(2);
    expect(counted.begun).toBe(0);
  });

  test("what reading throws there is the message's own", async () => {
    const { readAnywhere } = countedThreads();
    const [failed, fine] = await Promise.allSettled([readAnywhere('throw'), readAnywhere('fine')]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'This message cannot be read.' } });
    expect(fine).toEqual({ status: 'fulfilled', value: 'fine on the loop' });
  });

  test('one begins where many messages wait, and reads from then on', async () => {
    const { counted, readAnywhere } = countedThreads();
    await Promise.all(Array.from({ length: LOOP_MESSAGES }, () => readAnywhere('few')));
    expect(counted.begun).toBe(0);
    await Promise.all(Array.from({ length: LOOP_MESSAGES + 1 }, () => readAnywhere('many')));
    await vi.waitFor(() => expect(counted.begun).toBe(1), PATIENCE);
    await vi.waitFor(async () => expect(await readAnywhere('then')).toBe('index of then'), PATIENCE);
  });

  test('a message waits for the pause of the event loop, and no thread begins for a short one', async () => {
    const clock = new ManualClock();
    const { counted, readAnywhere, setPause } = countedThreads({ clock });
    setPause(10);
    const text = readAnywhere('mail');
    await vi.waitFor(() => expect(clock.alarms).toBe(1), PATIENCE);
    setPause(0);
    await clock.advance(10);
    expect(await text).toBe('mail on the loop');
    expect(counted.begun).toBe(0);
  });

  test('one begins for a long pause', async () => {
    const clock = new ManualClock();
    const { threads, readAnywhere, setPause } = countedThreads({ clock });
    setPause(1_000);
    expect(await readAnywhere('mail')).toBe('index of mail');
    await threads.close();
    expect(clock.alarms).toBe(0);
  });

  test('one begins for what the event loop may not read, however much it reads meanwhile', async () => {
    const { threads, counted, readAnywhere } = countedThreads();
    const { message, open, isReached } = gate();
    const large = readLarge(threads, message);
    while (!isReached()) expect(await readAnywhere('mail')).toMatch(/ mail$|on the loop$/);
    open();
    await large;
    expect(counted.begun).toBeGreaterThan(0);
  });

  test('what a thread died with is not read on the event loop', async () => {
    const { threads, readAnywhere } = countedThreads({ count: 1 });
    await read(threads, 'begin');
    const poisoned = read(threads, 'exit').catch(String);
    const behind = readAnywhere('behind');
    expect(await poisoned).toContain('was ended');
    expect(await behind).toBe('index of behind');
  });
});

test('each message of a batch is charged with its own time, and not with that of the others', async () => {
  const texts = ['fine', 'slow', 'fine'];
  const used: number[] = [];
  let handedAt = 0;
  let endedAt = 0;
  await new Promise<void>((resolve) => {
    const hand = (thread: ReadingThread) => {
      if (handedAt > 0) return resolve();
      handedAt = performance.now();
      const ended = (_: unknown, usedMs: number) => {
        used.push(usedMs);
        endedAt = performance.now();
      };
      thread.hand(
        texts.map((text) => {
          const pieces = [Buffer.from(text)];
          return { name: 'ingest', details: DETAILS, pieces, bytes: text.length, isCopied: true, ended };
        }),
      );
    };
    const thread = new ReadingThread(STRANGE, systemClock, { isFree: hand, isLost: () => {} });
    onTestFinished(() => thread.end());
  });
  expect(used).toHaveLength(texts.length);
  expect(used[1]).toBeGreaterThanOrEqual(SLOW_MS);
  expect(used.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(endedAt - handedAt);
});

test('what is thrown and is no error rejects with what it says', async () => {
  await expect(read(strangeThreads(), 'no error')).rejects.toThrow('This is no error.');
});

test('an error in a thread rejects with its message and stack, and the thread goes on', async () => {
  const threads = strangeThreads();
  const [failed, fine] = await Promise.allSettled([read(threads, 'throw'), read(threads, 'fine')]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'This message cannot be read.' } });
  expect((failed as PromiseRejectedResult).reason.stack).toContain('strange-worker.js');
  expect(fine).toEqual({ status: 'fulfilled', value: 'index of fine' });
});

test.each([
  ['exit', 'The thread that read the message was ended.'],
  ['heap', /memory limit/],
])('a thread that ends by %s takes along the one message that it was at', async (poison, reason) => {
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
  // They are read again in the order in which they came.
  expect(ended).toEqual([0, 1, 2, 3, 4]);
});

test('a message that hangs is given up when its own time is over, and those around it are read', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  const hangs = once(new BroadcastChannel('strange') as unknown as EventTarget, 'message');
  const before = read(threads, 'before');
  const hung = read(threads, 'hang').catch(String);
  const after = read(threads, 'after');
  await hangs;
  // It was not the first, so it may have begun just now.
  await clock.advance(READING_LIMIT_MS);
  expect(clock.alarms).toBe(1);
  await clock.advance(READING_LIMIT_MS);
  expect(await hung).toContain(`took more than ${READING_LIMIT_MS} ms`);
  expect(await Promise.all([before, after])).toEqual(['index of before', 'index of after']);
});

test('the time that a message hung is charged to its client: others go before what that client has waiting', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  const hangs = once(new BroadcastChannel('strange') as unknown as EventTarget, 'message');
  const hung = read(threads, 'hang', 'bad').catch(String);
  const { message, open, isReached } = gate();
  const slow = readLarge(threads, message, 'good');
  await hangs;
  while (!isReached()) await new Promise(setImmediate);
  const ended: string[] = [];
  const waiting = ['bad', 'good'].map((client) => read(threads, client, client).then(() => ended.push(client)));
  // The other has used some time, too.
  open();
  await slow;
  await clock.advance(2 * READING_LIMIT_MS);
  await Promise.all([hung, ...waiting]);
  expect(ended).toEqual(['good', 'bad']);
});

test('a client gains no turns among small messages by having a large one that waits', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  const hangs = once(new BroadcastChannel('strange') as unknown as EventTarget, 'message');
  const hung = read(threads, 'hang', 'good').catch(String);
  const behind = read(threads, 'behind', 'good');
  await hangs;
  // Among small messages a minute has been used, and none among large ones.
  await clock.advance(2 * READING_LIMIT_MS);
  await Promise.all([hung, behind]);
  const { message, open, isReached } = gate();
  const large = readLarge(threads, message, 'bad');
  while (!isReached()) await new Promise(setImmediate);
  const ended: string[] = [];
  const readBy = (client: string) => read(threads, client, client).then(() => ended.push(client));
  const floods = Array.from({ length: 200 }, () => readBy('bad'));
  await readBy('good');
  // What the thread is handed at once.
  expect(ended.indexOf('good')).toBeLessThan(16);
  open();
  await Promise.all([large, ...floods]);
});

test('a message that is read is watched no more', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  for (const text of ['first', 'second', 'third']) await read(threads, text);
  // What is left ends the idle thread.
  expect(clock.alarms).toBe(1);
});

test('a thread that ends before it has begun anything blames no message: each goes to a second one, alone', async () => {
  const handed: number[] = [];
  const channel = new BroadcastChannel('handed');
  channel.onmessage = ({ data }) => handed.push(data);
  const threads = strangeThreads({ worker: new URL(`data:text/javascript,${encodeURIComponent(ENDS_AT_ONCE)}`) });
  const given = Array.from({ length: 3 }, (_, n) => read(threads, `message ${n}`));
  expect(await Promise.allSettled(given)).toMatchObject(
    given.map(() => ({ reason: { message: 'The thread that was to read the message was ended.' } })),
  );
  await vi.waitFor(() => expect(handed).toEqual([3, 1, 1, 1]), PATIENCE);
  channel.close();
});

test('messages that each take their time are not given up for taking long together', async () => {
  const clock = new ManualClock();
  const threads = strangeThreads({ clock });
  for (let rounds = 0; rounds < 3; rounds += 1) {
    const { message, open } = gate();
    const answer = readLarge(threads, message);
    await read(threads, 'meanwhile');
    await clock.advance(READING_LIMIT_MS - 1);
    open();
    await answer;
  }
});

test('poison again and again does not keep others from being read', async () => {
  const threads = strangeThreads();
  const poisoned = Array.from({ length: 4 }, () => read(threads, 'exit', 'bad'));
  const others = Array.from({ length: 20 }, (_, n) => read(threads, `good ${n}`, 'good'));
  expect(await Promise.allSettled(poisoned)).toMatchObject(poisoned.map(() => ({ status: 'rejected' })));
  expect(await Promise.all(others)).toEqual(others.map((_, n) => `index of good ${n}`));
});

test('threads that cannot begin reject what waits, and do not try for ever', async () => {
  const threads = strangeThreads({ worker: new URL('./no-such-worker.js', import.meta.url) });
  await expect(read(threads, 'first')).rejects.toThrow('No thread can be started');
  await expect(read(threads, 'second')).rejects.toThrow('No thread can be started');
});

test('a system that gives no thread rejects what waits, and ends nothing else', async () => {
  // Node throws at once, as it does where the system has no thread left.
  const threads = strangeThreads({ worker: new URL('https://inbox.example.com/worker.js') });
  await expect(read(threads, 'first')).rejects.toThrow('No thread can be started');
  await expect(read(threads, 'second')).rejects.toThrow('No thread can be started');
});

describe('a thread that ends while it begins', () => {
  /** Ends each thread that begins, until `stop`; tells how many there were. */
  function endNewThreads() {
    const counted = { begun: 0, ended: 0, stop: () => process.off('worker', end) };
    const end = (worker: Worker) => {
      counted.begun += 1;
      worker.once('exit', () => (counted.ended += 1));
      void worker.terminate();
    };
    process.on('worker', end);
    onTestFinished(() => void counted.stop());
    return counted;
  }

  /** One thread is held by a large message, and a small one waits for another, which ends while it begins. */
  async function whereNoneBegins() {
    const clock = new ManualClock();
    const threads = strangeThreads({ count: 2, clock });
    const { message, open, isReached } = gate();
    const large = readLarge(threads, message);
    while (!isReached()) await new Promise(setImmediate);
    const counted = endNewThreads();
    return { clock, open, large, counted, small: read(threads, 'small') };
  }

  test('is followed by the next after a pause, while the others go on', async () => {
    const { clock, open, large, counted, small } = await whereNoneBegins();
    for (const tries of [1, 2, 3]) {
      await vi.waitFor(() => expect(counted.ended).toBe(tries), PATIENCE);
      await clock.advance(START_PAUSE_MS - 1);
      expect(counted.begun).toBe(tries);
      await clock.advance(1);
    }
    await vi.waitFor(() => expect(counted.ended).toBe(4), PATIENCE);
    counted.stop();
    await clock.advance(START_PAUSE_MS);
    expect(await small).toBe('index of small');
    open();
    await large;
  });

  test('leaves its work to one that is there', async () => {
    const { open, large, counted, small } = await whereNoneBegins();
    await vi.waitFor(() => expect(counted.ended).toBe(1), PATIENCE);
    open();
    await large;
    expect(await small).toBe('index of small');
  });

  test('rejects what waits where there is no other, and what comes then has a try of its own after the pause', async () => {
    const clock = new ManualClock();
    const threads = strangeThreads({ clock });
    const counted = endNewThreads();
    await expect(read(threads, 'first')).rejects.toThrow('No thread can be started');
    const second = read(threads, 'second').catch(String);
    await clock.advance(START_PAUSE_MS - 1);
    expect(counted.begun).toBe(1);
    await clock.advance(1);
    expect(await second).toContain('No thread can be started');
    counted.stop();
    const third = read(threads, 'third');
    await clock.advance(START_PAUSE_MS);
    expect(await third).toBe('index of third');
  });

  test('leaves no pause behind when the threads are closed', async () => {
    const clock = new ManualClock();
    const threads = strangeThreads({ clock });
    endNewThreads();
    await expect(read(threads, 'first')).rejects.toThrow('No thread can be started');
    expect(clock.alarms).toBe(1);
    await threads.close();
    expect(clock.alarms).toBe(0);
    const closedAtStart = strangeThreads({ clock });
    const given = read(closedAtStart, 'second').catch(String);
    await new Promise(setImmediate);
    await closedAtStart.close();
    expect(await given).toContain('closed');
    await clock.advance(0);
    expect(clock.alarms).toBe(0);
  });
});

test('threads that have been idle for long end, and another begins when one is needed', async () => {
  let ended = 0;
  const count = (worker: Worker) => worker.once('exit', () => (ended += 1));
  process.on('worker', count);
  const clock = new ManualClock();
  const threads = strangeThreads({ count: 3, clock });
  const gates = [gate(), gate(), gate()];
  const large = gates.map(({ message }) => readLarge(threads, message));
  while (!gates.every(({ isReached }) => isReached())) await new Promise(setImmediate);
  const ids = [Number(await read(threads, 'which'))];
  for (const { open } of gates) open();
  for (const [id] of await Promise.all(large)) ids.push(Number(Buffer.from(id).toString()));
  expect(new Set(ids).size).toBe(4);
  process.off('worker', count);
  await clock.advance(IDLE_THREAD_MS - 1);
  expect(ended).toBe(0);
  await clock.advance(1);
  await vi.waitFor(() => expect(ended).toBe(4), PATIENCE);
  expect(ids).not.toContain(Number(await read(threads, 'which')));
});

test('small messages are read while as many large ones as threads are', async () => {
  const threads = strangeThreads({ count: 2 });
  const gates = [gate(), gate(), gate()];
  const large = gates.map(({ message }) => readLarge(threads, message));
  expect(await read(threads, 'small')).toBe('index of small');
  for (const { open } of gates) open();
  await Promise.all(large);
});

test('whoever comes goes before what a client had waiting that has used more', async () => {
  const threads = strangeThreads();
  await read(threads, 'begin', 'flood');
  const ended: string[] = [];
  const readBy = (client: string, text: string) => read(threads, text, client).then(() => ended.push(client));
  const floods = Array.from({ length: 200 }, (_, n) => readBy('flood', `flood ${n}`));
  await Promise.race(floods);
  const before = ended.length;
  await readBy('other', 'other');
  // What the thread had begun, and what it was handed together with this one.
  expect(ended.lastIndexOf('other') - before).toBeLessThan(2 * 16);
  expect(ended.length).toBeLessThan(floods.length);
  await Promise.all(floods);
});

test('who has left is not read for', async () => {
  const threads = strangeThreads();
  const left = new AbortController();
  const reason = new Error('left');
  const given = read(threads, 'exit', 'a', left.signal);
  left.abort(reason);
  await expect(given).rejects.toBe(reason);
  expect(await read(threads, 'next')).toBe('index of next');
});

test('closing rejects what waits and what is being read', async () => {
  const threads = strangeThreads();
  const { message } = gate();
  const given = [readLarge(threads, message), read(threads, 'hang'), read(threads, 'waits')];
  const settled = Promise.allSettled(given);
  await threads.close();
  expect(await settled).toMatchObject(given.map(() => ({ status: 'rejected' })));
  await expect(read(threads, 'late')).rejects.toThrow('closed');
});

test('what was given up before it was begun does not make a client look cheap', async () => {
  const threads = strangeThreads({ count: 2 });
  const holding = [gate(), gate()];
  const held = holding.map(({ message }) => readLarge(threads, message, 'holder'));
  const leaving = new AbortController();
  const large = 'a'.repeat(SMALL_BYTES + 1);
  const givenUp = Array.from({ length: 20 }, () => read(threads, large, 'a', leaving.signal));
  leaving.abort(new Error('The client has left.'));
  const first = gate();
  const reading = readLarge(threads, first.message, 'a');
  const second = read(threads, large, 'a');
  for (const { open } of holding) open();
  expect((await Promise.allSettled(givenUp)).every(({ status }) => status === 'rejected')).toBe(true);
  // Handed to one thread together, it would wait for the first.
  await expect(second).resolves.toMatch(/^index of a/);
  first.open();
  await Promise.all([...held, reading]);
});
