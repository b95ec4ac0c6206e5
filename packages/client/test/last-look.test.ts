import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { inboxApi } from '../src/api.js';
import { testTime } from '../src/fixtures/fixtures.js';
import { TestMayfly } from '../src/fixtures/reported-test.js';
import { type Inbox, Mayfly, type MayflyOptions } from '../src/index.js';
import { type Answer, EMAIL, recordingFetch } from './recording-fetch.js';

vi.mock('../src/wait/real-time.js', () => import('./movable-time.js'));

beforeAll(async () => {
  // Loading a module takes real time, so it happens before timers are faked.
  await import('../src/wait/last-look.js');
});

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const LIST = { emails: [{ ...EMAIL, size: 5, cut: [] }], count: 1 };

/** Resolves to the error message of a wait of 2 s. Its streams are silent; `answer` responds to other requests. */
async function messageOf(answer: Answer): Promise<string> {
  const { fetch } = recordingFetch((request, init) =>
    request.startsWith('stream')
      ? new Response(new ReadableStream({}), { headers: { 'content-type': 'text/event-stream' } })
      : answer(request, init),
  );
  const said = new Mayfly({ fetch })
    .inbox('demo')
    .waitForEmail({ subject: /wanted/, timeout: 2_000 })
    .catch(({ message }) => message);
  // The explanation may take as long as the wait did.
  await vi.advanceTimersByTimeAsync(4_000);
  return said as Promise<string>;
}

/** Resolves to the duration of a wait. The service answers only the first request and those that `heard` accepts. */
async function lengthOf(
  wait: (inbox: Inbox) => Promise<unknown>,
  mayfly: (options: MayflyOptions) => Mayfly,
  heard: (request: string) => boolean = () => false,
) {
  const { fetch, requests } = recordingFetch((request) =>
    requests.length > 1 && !heard(request)
      ? new Response(new ReadableStream({}), JSON_TYPE)
      : Response.json({ emails: [], count: 0 }),
  );
  const inbox = mayfly({ fetch }).inbox('demo');
  await inbox.mark();
  const begunAt = performance.now();
  const ended = wait(inbox).then(
    () => {},
    () => performance.now() - begunAt,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return ended;
}

describe('the error message of a wait', () => {
  test('uses the fields of the summaries if the emails could not be read', async () => {
    const never = () => new Response(new ReadableStream({}), JSON_TYPE);
    const message = await messageOf((request) => (request === 'email' ? never() : Response.json(LIST)));
    expect(message).toMatch(/1 email came to demo@inbox\.example\.com: 'Hello' \(subject does not match\)\.$/);
  });

  test('does not appear if the last read, the only answered one, finds a matching email', async () => {
    const { fetch } = recordingFetch((request) => {
      if (request.startsWith('summary?limit=1000')) return Response.json(LIST);
      if (request === 'email') return Response.json(EMAIL);
      return new Response(new ReadableStream({}), JSON_TYPE);
    });
    const waiting = new Mayfly({ fetch })
      .inbox('demo')
      .waitForEmail({ subject: 'Hello', timeout: 2_000 })
      .then(({ subject }) => subject, String);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await waiting).toBe('Hello');
  });

  test('names no domains if Mayfly accepts mail for any domain', async () => {
    const message = await messageOf(() => Response.json({ emails: [], count: 0, domains: ['*'] }));
    expect(message).toMatch(
      /No email came to demo@inbox\.example\.com: was it sent, and to the right address and domain\? Mayfly's log/,
    );
  });
});

describe('a wait whose requests get no response', () => {
  test.each([
    [100, 100],
    [1_000, 1_000 + 880],
    [20_000, 20_000 + 1_000],
  ])('with a timeout of %i ms ends after %i ms', async (timeout, lengthMs) => {
    const wait = (inbox: Inbox) => inbox.waitForOtp({ timeout });
    expect(await lengthOf(wait, (options) => new Mayfly(options))).toBe(lengthMs);
  });

  test.each([
    [100, 100],
    [1_000, 1_000 + 880],
    [20_000, 20_000 + 4_000],
  ])('with a timeout of %i ms ends after %i ms if its last read gets a response', async (timeout, lengthMs) => {
    const wait = (inbox: Inbox) => inbox.waitForOtp({ timeout });
    const isList = (request: string) => request.startsWith('summary?limit=1000');
    expect(await lengthOf(wait, (options) => new Mayfly(options), isList)).toBe(lengthMs);
  });

  test.each([
    [10_000, 4_000, 4_000 + 1_000],
    [10_000, 60_000, 8_000 + 800],
    [30_000, 20_000, 20_000 + 1_000],
    [30_000, 60_000, 25_000 + 1_000],
  ])('with a test limit of %i ms and a timeout of %i ms ends after %i ms', async (testMs, timeout, lengthMs) => {
    const wait = (inbox: Inbox) => inbox.waitForOtp({ timeout });
    const time = testTime(() => testMs);
    const mayfly = (options: MayflyOptions) => new TestMayfly(options, time);
    expect(await lengthOf(wait, mayfly)).toBe(lengthMs);
  });
});

describe('a stream with an invalid or old email', () => {
  test.each([
    ['a text that is not JSON', 'Hello'],
    ['an object that is not an email', '{}'],
    ['an email without its message', JSON.stringify({ ...EMAIL, rawBody: undefined })],
    ['an email without a time', JSON.stringify({ ...EMAIL, receivedAt: 'soon' })],
  ])('is rejected with the hint that the service may not be Mayfly: %s', async (_, data) => {
    const headers = { 'content-type': 'text/event-stream' };
    const { fetch } = recordingFetch(() => new Response(`data: ${data}\n\n`, { headers }));
    await expect(inboxApi('demo', { fetch }).next()).rejects.toThrow(
      /answered 200: text\/event-stream: .* Is this Mayfly\?/,
    );
  });

  test('is reopened after a pause if the email is not newer than the after option of the wait', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    // A random value of 0 leaves each pause at its full length. Other values shorten it by up to half.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { fetch, requests } = recordingFetch((request) => {
      // Without a pause, the wait would send requests forever.
      if (requests.length > 100) throw new Error('too many requests');
      if (!request.startsWith('stream')) return Response.json({ emails: [], count: 0, domains: ['*'] });
      return new Response(`data: ${JSON.stringify(EMAIL)}\n\n`, { headers });
    });
    const waiting = new Mayfly({ fetch })
      .inbox('demo')
      .waitForEmail({ after: new Date(EMAIL.receivedAt), timeout: 1_000 });
    const ended = expect(waiting).rejects.toThrow('Waited 1 s');
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;
    expect(requests.filter((request) => request.startsWith('stream'))).toHaveLength(4);
  });
});
