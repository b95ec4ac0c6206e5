import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { refusingPort } from '../../server/test/ports.js';
import { Mayfly } from '../src/index.js';
import { inVain } from './in-vain.js';
import { startProxy, type TestProxy } from './proxy.js';
import { type Answer, EMAIL, recordingFetch } from './recording-fetch.js';
import { freshName, startService, type TestService } from './service.js';

vi.mock('../src/wait/real-time.js', () => import('./movable-time.js'));

/** Speeds up the server's clock, so streams end after 0.3 s instead of 30 s. */
const SPEED = 100;

let service: TestService;

/** Long, because streams fail and are reopened in real time. */
vi.setConfig({ testTimeout: 240_000 });
const opened: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  service = await startService({ speed: SPEED });
});

afterEach(() => void vi.useRealTimers());

/** Tests that wait for seconds run concurrently, so resources stay open until all have ended. */
afterAll(async () => {
  for (const one of opened.splice(0)) await one.stop();
  await service.stop();
});

function kept<T extends { stop(): Promise<void> }>(one: T): T {
  opened.push(one);
  return one;
}

async function asked(requests: readonly string[], times: number): Promise<void> {
  await vi.waitFor(() => expect(requests.length).toBeGreaterThanOrEqual(times), { timeout: 120_000, interval: 10 });
}

/** A timeout that no test reaches, so a call can only end because of an event. */
const A_DAY_MS = 86_400_000;

/** Long enough for the slowest machine. */
const PATIENCE = { timeout: A_DAY_MS, connectTimeout: A_DAY_MS };

function inboxBehind(answer: Answer, url = service.url) {
  const { fetch, requests } = recordingFetch(answer);
  return { inbox: new Mayfly({ ...PATIENCE, baseUrl: url, fetch }).inbox(freshName()), requests };
}

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const json = (status: number, body: object, headers = {}) => Response.json(body, { status, headers });
const isStream = (request: string) => request.startsWith('stream');

describe.concurrent('a wait whose streams end', () => {
  test('reopens its stream until the email arrives', async () => {
    const { inbox, requests } = inboxBehind(() => null);
    const waiting = inbox.waitForEmail();
    await asked(requests, 3);
    await service.mail(inbox.name, { subject: 'late' });
    expect((await waiting).subject).toBe('late');
    // Ignores summaries: a wait reads them if an email does not match, or if a busy machine delays the stream.
    expect(requests.filter((request) => !request.startsWith('summary')).every(isStream)).toBe(true);
  });
});

describe('a wait whose stream stays open after delivering the email', () => {
  test('closes the stream and opens no second stream', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const { inbox } = inboxBehind((_, init) => {
      signals.push(init?.signal);
      const start = (controller: ReadableStreamDefaultController) =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(EMAIL)}\n\n`));
      return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
    });
    await inbox.waitForEmail();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });
});

describe.concurrent('without working streams', () => {
  test.each([
    ['404', () => json(404, { error: 'There is nothing at this path.' })],
    ['405', () => json(405, { error: 'Not this way.' })],
    ['502', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['503', () => json(503, { error: 'All streams are taken.' }, { 'retry-after': '1' })],
    ['another type', () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } })],
    ['a broken connection', () => Response.error()],
  ])('a wait finds the email by listing the inbox (stream: %s)', async (_, answer) => {
    const { inbox, requests } = inboxBehind((request) => (isStream(request) ? answer() : null));
    const waiting = inbox.waitForEmail({ subject: 'wanted' });
    await asked(requests, 4);
    await service.mail(inbox.name, { subject: 'other' });
    await service.mail(inbox.name, { subject: 'wanted' });
    expect((await waiting).subject).toBe('wanted');
  });

  test('a wait finds an email that a proxy delivers only at the end of a stream', async () => {
    const slow = kept(await startService());
    const proxy = kept(await startProxy(slow.port, () => ({ holdBack: true })));
    const inbox = new Mayfly({ ...PATIENCE, baseUrl: proxy.url }).inbox(freshName());
    const waiting = inbox.waitForEmail({ subject: /wanted/ });
    for (const subject of ['other', 'wanted', 'another']) await slow.mail(inbox.name, { subject });
    expect((await waiting).subject).toBe('wanted');
  });
});

describe('a wait whose stream falls silent', () => {
  test('closes the stream after 15 s, and receives the email from a second stream', async () => {
    vi.useFakeTimers();
    const { inbox, requests } = inboxBehind((request, init) => {
      const text = requests.filter(isStream).length > 1 ? `data: ${JSON.stringify(EMAIL)}\n\n` : ': connected\n\n';
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      });
      if (isStream(request)) return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      return json(200, { emails: [], count: 0 });
    });
    const waiting = inbox.waitForEmail();
    await vi.advanceTimersByTimeAsync(14_900);
    expect(requests.filter(isStream)).toEqual(['stream']);
    await vi.advanceTimersByTimeAsync(300);
    expect((await waiting).subject).toBe('Hello');
    expect(requests.filter(isStream)).toEqual(['stream', 'stream']);
  });
});

describe.concurrent('a rate limit', () => {
  const limited = (windowMs: number) => startService({ readRate: { count: 2, windowMs } });

  test('delays a call until the server accepts its next request', async () => {
    // The window must outlast the first two requests, which take seconds on a busy machine.
    const strict = kept(await limited(10_000));
    const { inbox, requests } = inboxBehind(() => null, strict.url);
    await strict.mail(inbox.name, { subject: 'one' });
    const startedAt = performance.now();
    await inbox.emails();
    expect((await inbox.latest())?.subject).toBe('one');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(9_900);
    // Two requests by `emails()`, a refused one by `latest()`, and two more by `latest()` after the pause.
    expect(requests).toHaveLength(5);
  });

  test.each(['99999999999', '-5', 'Wed, 21 Oct 2026 07:28:00 GMT', '0'])(
    'rejects a wait at its deadline if the limit lasts beyond the timeout (Retry-After: %s)',
    async (retryAfter) => {
      const { inbox, requests } = inboxBehind(() =>
        json(429, { error: 'Too many requests. Slow down.' }, { 'retry-after': retryAfter }),
      );
      const waited = (timeout: number) => inbox.waitForEmail({ timeout });
      await inVain(waited, (error, timeout) =>
        expect(error).toMatchObject({
          name: 'MayflyTimeoutError',
          message:
            `Waited ${timeout / 1_000} s for an email. The inbox ${inbox} could not be read in time. ` +
            `Meanwhile: Mayfly at ${service.url} answered 429: Too many requests. Slow down.`,
          cause: { name: 'MayflyRateLimitError', status: 429 },
        }),
      );
      expect(requests.length).toBeLessThan(100);
    },
  );

  test('rejects a call other than a wait with MayflyRateLimitError', async () => {
    const { fetch } = recordingFetch(() => json(429, { error: 'Slow down.' }, { 'retry-after': '7' }));
    await inVain(
      (timeout) => new Mayfly({ fetch, timeout }).createInbox().emails(),
      (error) => expect(error).toMatchObject({ name: 'MayflyRateLimitError', retryAfterMs: 7_000 }),
    );
  });

  test.each([429, 503])(
    'of status %i leads to a retry before the deadline, even if Retry-After lies beyond the deadline',
    async (status) => {
      let refusals = 1;
      const { fetch, requests } = recordingFetch(() => {
        refusals -= 1;
        return refusals < 0 ? null : json(status, { error: 'Too many.' }, { 'retry-after': '3600' });
      });
      const inbox = new Mayfly({ baseUrl: service.url, fetch, timeout: 60_000 }).createInbox();
      expect(await inbox.mark()).toEqual(new Date(0));
      expect(requests).toHaveLength(2);
    },
  );
});

describe.concurrent('a server that is down', () => {
  test('is retried until the deadline, and the error says that it is not reachable', async () => {
    const baseUrl = `http://127.0.0.1:${await refusingPort()}`;
    const { inbox, requests } = inboxBehind(() => null, baseUrl);
    const waited = (timeout: number) => {
      requests.length = 0;
      return inbox.waitForOtp({ timeout });
    };
    await inVain(waited, (error) => {
      expect(error).toMatchObject({
        name: 'MayflyNetworkError',
        message:
          `Mayfly at ${baseUrl} cannot be reached: connect ECONNREFUSED ${baseUrl.slice('http://'.length)} ` +
          '(refused: nothing listens there). Is Mayfly running there? Check baseUrl and MAYFLY_URL.',
        baseUrl,
      });
      // At least two tries with two requests each, a stream and a read. A wait's last read may add its own retries.
      expect(requests.length).toBeGreaterThanOrEqual(4);
    });
    expect(requests.length).toBeLessThan(100);
  });
});

describe('a permanent error', () => {
  test('rejects immediately for an unknown key', async () => {
    const locked = kept(await startService({ workspaces: [{ workspace: 'acme', key: 'right-key-of-16-chars' }] }));
    const wrong = new Mayfly({ baseUrl: locked.url, apiKey: 'acme=wrong-key-of-16-chars' }).createInbox();
    await expect(wrong.waitForEmail({ timeout: A_DAY_MS })).rejects.toMatchObject({
      name: 'MayflyAuthError',
      status: 401,
      message:
        `Mayfly at ${locked.url} answered 401: The API key is unknown. Check the key. ` +
        'Check apiKey and MAYFLY_API_KEY.',
    });
    await expect(wrong.expectNoEmail({ within: A_DAY_MS })).rejects.toMatchObject({ name: 'MayflyAuthError' });

    const right = new Mayfly({ baseUrl: locked.url, apiKey: 'acme=right-key-of-16-chars' }).createInbox({
      prefix: 'sign-up',
    });
    await locked.mail(right.name, { subject: 'for acme' });
    expect((await right.waitForEmail()).subject).toBe('for acme');
    const stranger = new Mayfly({ baseUrl: locked.url }).inbox(right.address);
    await expect(stranger.waitForEmail()).rejects.toMatchObject({ name: 'MayflyAuthError' });
  });

  test.each([
    ['another server', () => new Response('<h1>Shop</h1>', { headers: { 'content-type': 'text/html' } }), 200, 'Shop'],
    ['another path', () => json(404, { error: 'There is nothing.' }), 404, 'There is nothing. Is this Mayfly?'],
    ['other JSON', () => json(200, {}), 200, 'answered 200: JSON, but not what Mayfly sends. Is this Mayfly?'],
    ['JSON that is not an object', () => new Response('null', JSON_TYPE), 200, 'JSON, but not what Mayfly sends'],
  ])('rejects immediately for %s', async (_, answer, status, sentence) => {
    const { inbox } = inboxBehind(answer);
    const rejected = inbox.waitForEmail({ timeout: A_DAY_MS });
    await expect(rejected).rejects.toMatchObject({ name: 'MayflyResponseError', status });
    await expect(rejected).rejects.toThrow(sentence);
  });
});

test.each([
  ['plain text', 200, 'text/plain', '\u001b[31mred\r\n\u202eder'],
  ['invalid JSON', 200, 'application/json', '\u001b[31mred'],
  ['an error response', 400, 'application/json', JSON.stringify({ error: '\u001b[31mred\u202e' })],
])('an error message omits the control characters of a response (%s)', async (_, status, type, body) => {
  const { inbox } = inboxBehind(() => new Response(body, { status, headers: { 'content-type': type } }));
  const error: Error = await inbox.emails().catch((caught) => caught);
  expect(error.message).toContain('[31mred');
  expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

describe('a proxy that cuts connections', () => {
  test('lets a wait receive an email exactly once, even after a cut in the middle of the email', async () => {
    const cutAt = [500, 700, 60];
    const proxy: TestProxy = kept(
      await startProxy(service.port, () => ({ cutAfterBytes: cutAt.shift() ?? Number.POSITIVE_INFINITY })),
    );
    const inbox = new Mayfly({ ...PATIENCE, baseUrl: proxy.url }).inbox(freshName());
    const waiting = inbox.waitForEmail({ subject: 'wanted' });
    await service.mail(inbox.name, { subject: 'wanted', text: 'x'.repeat(5_000) });
    const email = await waiting;
    expect(email.body.trimEnd()).toHaveLength(5_000);
    expect(proxy.cuts()).toBe(3);
    await inbox.expectNoEmail({ after: email.receivedAt, within: 50 });
  });
});
