import { describe, expect, test, vi } from 'vitest';
import { inboxApi } from '../src/api.js';
import { type Inbox, Mayfly } from '../src/index.js';
import { MAX_WAIT_MS } from '../src/wait/bounds.js';
import { Calls } from '../src/wait/calls.js';
import { LOADED_MS, sleep } from '../src/wait/deadline.js';
import { MayflyNetworkError } from '../src/wait/errors.js';
import { readSettings } from '../src/wait/settings.js';
import { MAX_ANSWER_MS, SILENCE_TIMEOUT_MS, Transport } from '../src/wait/transport.js';

vi.mock('../src/wait/real-time.js', () => import('./movable-time.js'));

/** A timeout that no test reaches, so a call can only end because of an event. */
const A_DAY_MS = 86_400_000;

const deaf: typeof fetch = () => new Promise(() => {});

/** Resolves immediately to a response whose body never arrives. Ignores the request's signal. */
const halfDeaf: typeof fetch = async (input) => {
  const type = String(input).includes('/stream') ? 'text/event-stream' : 'application/json';
  return new Response(new ReadableStream({}), { headers: { 'content-type': type } });
};

describe.each([
  ['never answers', deaf, 'MayflyNetworkError', 'no answer in time'],
  ['never ends its answers', halfDeaf, 'MayflyTimeoutError', 'could not be read in time'],
] as const)('a fetch that ignores its signal and %s', (_, fetch, inVain, said) => {
  test.each([
    ['waitForEmail', (inbox: Inbox) => inbox.waitForEmail({ timeout: 200 }), inVain, said],
    ['emails', (inbox: Inbox) => inbox.emails(), 'MayflyNetworkError', 'no answer in time'],
    ['mark', (inbox: Inbox) => inbox.mark(), 'MayflyNetworkError', 'no answer in time'],
    ['expectNoEmail', (inbox: Inbox) => inbox.expectNoEmail({ within: 50 }), 'MayflyNetworkError', 'no answer in time'],
  ] as const)('does not keep %s() running after the timeout', async (_, call, name, said) => {
    const inbox = new Mayfly({ fetch, timeout: 200 }).createInbox();
    await expect(call(inbox)).rejects.toMatchObject({ name, message: expect.stringContaining(said) });
  });

  test('does not keep a call running after the caller aborts it', async () => {
    const inbox = new Mayfly({ fetch, timeout: A_DAY_MS, connectTimeout: A_DAY_MS }).createInbox();
    const controller = new AbortController();
    const { signal } = controller;
    const calls = [inbox.waitForEmail({ signal }), inbox.latest({ signal }), inbox.expectNoEmail({ signal })];
    controller.abort(new Error('enough'));
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow('enough')));
  });
});

/** Answers every request immediately with this many bytes from one repeated buffer. */
function flooding(totalBytes: number): typeof fetch {
  const piece = new Uint8Array(2 ** 20).fill('a'.charCodeAt(0));
  return async (input) => {
    let left = totalBytes;
    const pull = (controller: ReadableStreamDefaultController) => {
      left -= piece.length;
      if (left < 0) controller.close();
      else controller.enqueue(piece);
    };
    const type = String(input).includes('/stream') ? 'text/event-stream' : 'application/json';
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': type } });
  };
}

describe('if a response is endless', () => {
  test.each([
    ['emails', (inbox: Inbox) => inbox.emails()],
    ['mark', (inbox: Inbox) => inbox.mark()],
    ['attempts', (inbox: Inbox) => inbox.attempts()],
    ['clear', (inbox: Inbox) => inbox.clear()],
    ['a release of some', (inbox: Inbox) => inbox.release([1])],
    ['expectNoEmail', (inbox: Inbox) => inbox.expectNoEmail({ within: A_DAY_MS })],
    ['waitForEmail', (inbox: Inbox) => inbox.waitForEmail()],
  ] as const)('%s rejects once it exceeds 4 MiB, the size of 4,000 listed emails', async (_, call) => {
    const fetch = flooding(Number.POSITIVE_INFINITY);
    const inbox = new Mayfly({ fetch, timeout: A_DAY_MS, connectTimeout: A_DAY_MS }).createInbox();
    await expect(call(inbox)).rejects.toMatchObject({
      name: 'MayflyResponseError',
      message: expect.stringContaining(`more than ${2 ** 22} bytes. Is this Mayfly?`),
    });
  });
});

test('a call without a timeout rejects an endless response after five minutes', async () => {
  vi.useFakeTimers();
  try {
    const dripping: typeof fetch = async (_, init) => {
      let timer: ReturnType<typeof setInterval>;
      const start = (controller: ReadableStreamDefaultController) => {
        timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 1_000);
        init?.signal?.addEventListener('abort', () => clearInterval(timer));
      };
      return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'application/json' } });
    };
    const asked = inboxApi('demo', { fetch: dripping }).summaries();
    const rejected = expect(asked).rejects.toMatchObject({ name: 'MayflyNetworkError' });
    await vi.advanceTimersByTimeAsync(MAX_ANSWER_MS + SILENCE_TIMEOUT_MS);
    await rejected;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

describe('a failed call without the module that explains errors', () => {
  const baseUrl = 'http://127.0.0.1:8080';
  const transportOf = (status: number, source: ConstructorParameters<typeof Transport>[1]) =>
    new Transport(readSettings({ baseUrl, fetch: async () => new Response('Hello', { status }) }), source);

  test.each([401, 404, 429, 500])(
    'rejects with the status %i and, as its cause, the error of the failed import',
    async (status) => {
      const cause = new Error('Cannot find module');
      const transport = transportOf(status, () => Promise.reject(cause));
      await expect(transport.json({ path: '/' })).rejects.toMatchObject({
        ...{ name: 'MayflyResponseError', status, cause },
        message: `Mayfly at ${baseUrl} answered ${status}.`,
      });
    },
  );

  test('rejects a limited time after its timeout if the module never loads', async () => {
    vi.useFakeTimers();
    try {
      const settings = readSettings({ baseUrl });
      const calls = new Calls(new Transport(settings, () => new Promise(() => {})), settings);
      let said: string | undefined;
      const late = (signal: AbortSignal) =>
        sleep(MAX_WAIT_MS, signal).then(() => Promise.reject(new MayflyNetworkError('No answer.', { baseUrl })));
      calls.within(1_000, undefined, late).catch(({ message }) => (said = message));
      await vi.advanceTimersByTimeAsync(1_000 + LOADED_MS - 1);
      expect(said).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(said).toBe('No answer.');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
