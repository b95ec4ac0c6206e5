import { describe, expect, test, vi } from 'vitest';
import { inboxApi } from '../src/api.js';
import { SILENCE_TIMEOUT_MS } from '../src/bounds.js';
import { type Inbox, Mayfly } from '../src/index.js';
import { readSettings } from '../src/settings.js';
import { Transport } from '../src/transport.js';

/** No test lasts as long: what would take it ends only by what happens. */
const A_DAY_MS = 86_400_000;

/** Never answers, whatever its signal says. */
const deaf: typeof fetch = () => new Promise(() => {});

/** Answers at once, with a body that never comes, whatever its signal says. */
const halfDeaf: typeof fetch = async (input) => {
  const type = String(input).includes('/stream') ? 'text/event-stream' : 'application/json';
  return new Response(new ReadableStream({}), { headers: { 'content-type': type } });
};

describe.each([
  ['never answers', deaf],
  ['never ends its answers', halfDeaf],
])('a fetch that heeds no signal and %s', (_, fetch) => {
  test.each([
    ['waitForEmail', (inbox: Inbox) => inbox.waitForEmail({ timeout: 200 }), 'MayflyTimeoutError'],
    ['emails', (inbox: Inbox) => inbox.emails(), 'MayflyNetworkError'],
    ['mark', (inbox: Inbox) => inbox.mark(), 'MayflyNetworkError'],
    ['clear', (inbox: Inbox) => inbox.clear(), 'MayflyNetworkError'],
    ['expectNoEmail', (inbox: Inbox) => inbox.expectNoEmail({ within: 50 }), 'MayflyNetworkError'],
  ] as const)('keeps no %s beyond its time', async (_, call, name) => {
    const inbox = new Mayfly({ fetch, timeout: 200 }).createInbox();
    await expect(call(inbox)).rejects.toMatchObject({ name, message: expect.stringContaining('no answer in time') });
  });

  test("keeps no call beyond the caller's signal", async () => {
    const inbox = new Mayfly({ fetch, timeout: A_DAY_MS, connectTimeout: A_DAY_MS }).createInbox();
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [inbox.waitForEmail({ signal }), inbox.latest({ signal }), inbox.expectNoEmail({ signal })];
    controller.abort(new Error('enough'));
    for (const call of calls) await expect(call).rejects.toThrow('enough');
  });
});

test('a service that takes requests and answers none is told early', async () => {
  const inbox = new Mayfly({ fetch: deaf, timeout: A_DAY_MS, connectTimeout: 200 }).createInbox();
  await expect(inbox.waitForEmail()).rejects.toMatchObject({ name: 'MayflyNetworkError' });
});

test('an answer may not be longer than a text can be', async () => {
  // The same bytes again and again: what is sent takes no memory.
  const piece = new Uint8Array(2 ** 27);
  let pieces = 0;
  const endless: typeof fetch = async () => {
    const pull = (controller: ReadableStreamDefaultController) => {
      pieces += 1;
      if (pieces > 5) controller.close();
      else controller.enqueue(piece);
    };
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'application/json' } });
  };
  await expect(inboxApi('demo', { fetch: endless }).delete('2026-01-31T09:30:00.000Z')).rejects.toMatchObject({
    name: 'MayflyNetworkError',
    message: expect.stringContaining(`the answer is longer than ${2 ** 29 - 24} bytes`),
  });
});

describe('where what an answer means', () => {
  const baseUrl = 'http://127.0.0.1:8080';
  const transportOf = (status: number, source: ConstructorParameters<typeof Transport>[1]) =>
    new Transport(readSettings({ baseUrl, fetch: async () => new Response('Hello', { status }) }), source);

  test.each([401, 404, 429, 500])(
    'does not load, the status of %i is told, and why nothing else is',
    async (status) => {
      const cause = new Error('Cannot find module');
      const transport = transportOf(status, () => Promise.reject(cause));
      await expect(transport.json({ path: '/' })).rejects.toMatchObject({
        ...{ name: 'MayflyResponseError', status, cause },
        message: `Mayfly at ${baseUrl} answered ${status}.`,
      });
    },
  );

  test.each([200, 401])('never comes, a request (%i) has its time, and no more', async (status) => {
    vi.useFakeTimers();
    try {
      const asked = transportOf(status, () => new Promise(() => {})).json({ path: '/' });
      const rejected = expect(asked).rejects.toMatchObject({ name: 'MayflyNetworkError' });
      await vi.advanceTimersByTimeAsync(SILENCE_TIMEOUT_MS);
      await rejected;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
