import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Inboxes } from '../../src/inbox/inboxes.js';
import { nextEmail } from '../../src/inbox/wait/next-email.js';
import type { Wait } from '../../src/inbox/wait/waiting.js';
import { startApi, type TestApi } from '../http/api.js';

let api: TestApi;
/** Every wait that was begun. */
let waits: Wait[];

beforeEach(async () => {
  api = await startApi();
  waits = [];
});

afterEach(() => api.close());

/** Waits for a mail with a code, and lets the test see the waits that it takes. */
function next(timeoutMs: number, signal = new AbortController().signal) {
  const inboxes = {
    wait: (...args: Parameters<Inboxes['wait']>) => {
      const wait = api.inboxes.wait(...args);
      waits.push(wait);
      return wait;
    },
  } as unknown as Inboxes;
  return nextEmail(
    { inboxes, clock: api.clock },
    'demo',
    { hasOtp: true },
    { timeoutMs, signal, way: 'mcp', client: '192.0.2.1' },
  );
}

test('an email that is there is given at once', async () => {
  await api.mail('demo', 'Your code is 482913');
  expect(await next(1_000)).toMatchObject({ to: 'demo@inbox.example.com' });
});

test('the next one to come is given, also when it comes later than a stream waits, and nobody waits on', async () => {
  const waiting = next(50_000);
  await api.clock.advance(35_000);
  await api.mail('demo', 'No code in here');
  await api.mail('demo', 'Your code is 482913');
  expect(await waiting).toMatchObject({ to: 'demo@inbox.example.com' });
  expect(waits.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('none is given when none comes in time, and nobody waits on', async () => {
  const waiting = next(50_000);
  await api.clock.advance(49_999);
  await api.mail('demo', 'No code in here');
  await api.clock.advance(1);
  expect(await waiting).toBeNull();
  expect(waits.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('whoever leaves waits no longer, and whoever has left never does', async () => {
  const leaving = new AbortController();
  const waiting = next(50_000, leaving.signal);
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  expect(waits.map(({ aborted }) => aborted)).toEqual([true]);
  await expect(next(50_000, leaving.signal)).rejects.toThrow('left');
  expect(waits).toHaveLength(1);
});

test('whoever waits hears that the store has failed', async () => {
  await api.store.close();
  await expect(next(50_000)).rejects.toThrow();
});
