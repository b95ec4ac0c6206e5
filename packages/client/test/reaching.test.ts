import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort, refusingPort } from '../../server/test/ports.js';
import { type EmailsOptions, Mayfly } from '../src/index.js';
import { inVain } from './in-vain.js';
import { type Answer, EMAIL, recordingFetch } from './recording-fetch.js';
import { freshName, startService, type TestService } from './service.js';

vi.mock('../src/wait/real-time.js', () => import('./movable-time.js'));

let service: TestService;
const opened: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  service = await startService();
});

afterEach(() => void vi.useRealTimers());

/** Tests that wait for seconds run concurrently, so resources stay open until all have ended. */
afterAll(async () => {
  for (const one of opened.splice(0)) await one.stop();
  await service.stop();
});

/** A timeout that no test reaches, so a call can only end because of an event. */
const A_DAY_MS = 86_400_000;

/** A port that accepts connections and stays silent. */
async function silentPort(): Promise<number> {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ stop: async () => void server.close() });
  return (server.address() as AddressInfo).port;
}

describe.concurrent('if the service was never reachable', () => {
  test.each(['waitForEmail', 'waitForEmails', 'expectNoEmail', 'emails', 'mark', 'clear'] as const)(
    '%s rejects long before its timeout',
    async (call) => {
      const baseUrl = `http://127.0.0.1:${await refusingPort()}`;
      // Shorter than the test's time limit, so that a call that does not end early still says what it saw.
      const timeout = 200_000;
      const inbox = new Mayfly({ baseUrl, timeout, connectTimeout: 300 }).createInbox();
      const options = { waitForEmails: { count: 1 }, expectNoEmail: { within: timeout } };
      const startedAt = performance.now();
      const rejected = (inbox[call] as (options?: object) => Promise<unknown>)(options[call as 'waitForEmails']);
      await expect(rejected).rejects.toMatchObject({
        name: 'MayflyNetworkError',
        baseUrl,
        message: expect.stringMatching(/cannot be reached: connect ECONNREFUSED/),
      });
      expect(performance.now() - startedAt).toBeLessThan(timeout / 2);
    },
  );

  test('a wait lasts until its deadline if the service accepts connections, and reports silence', async () => {
    const baseUrl = `http://127.0.0.1:${await silentPort()}`;
    const inbox = new Mayfly({ baseUrl, connectTimeout: 300 }).createInbox();
    const startedAt = performance.now();
    await expect(inbox.waitForEmail({ timeout: 3_000 })).rejects.toThrow(
      'cannot be reached: connected, but no answer yet; the machine may be busy.',
    );
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_900);
    await expect(inbox.waitForEmail({ timeout: 30 })).rejects.toThrow('The wait was too short for an answer.');
  });

  test('a wait rejects with the system error for a wrong host name or protocol', async () => {
    // On a busy machine, the refusal of TLS may take seconds, so the call has a long timeout.
    const secure = new Mayfly({
      baseUrl: service.url.replace('http:', 'https:'),
      timeout: 20_000,
      connectTimeout: 300,
    });
    await expect(secure.createInbox().waitForEmail()).rejects.toThrow(
      /cannot be reached: .*(?:SSL|TLS|wrong version)/s,
    );
    const named = new Mayfly({ baseUrl: 'http://nowhere.invalid', timeout: A_DAY_MS, connectTimeout: 300 });
    await expect(named.createInbox().waitForEmail()).rejects.toThrow(/nowhere\.invalid cannot be reached: /);
  });

  test.each([
    ['EHOSTUNREACH', 'no route: check the address, the network and firewalls'],
    ['UND_ERR_CONNECT_TIMEOUT', 'no route: check'],
    ['ECONNREFUSED', 'refused: nothing listens there'],
  ])('a wait rejects with an explanation of %s', async (code, words) => {
    const fetch = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code } }));
    const inbox = new Mayfly({ fetch, timeout: A_DAY_MS, connectTimeout: 300 }).createInbox();
    await expect(inbox.waitForEmail()).rejects.toThrow(`cannot be reached: ${code} (${words}`);
  });
});

test('a wait ignores connectTimeout and retries until its deadline if the service stops during a stream', async () => {
  const port = await freePort();
  const first = await startService({ port });
  const { fetch, answered } = recordingFetch();
  const mayfly = new Mayfly({ baseUrl: `http://127.0.0.1:${port}`, fetch, connectTimeout: 1, timeout: A_DAY_MS });
  await mayfly.ready();
  const waiting = mayfly.inbox('back').waitForEmail();
  await vi.waitFor(() => expect(answered).toContain('stream'), { timeout: 120_000 });
  await first.stop();
  const second = await startService({ port });
  opened.push(second);
  await second.mail('back', { subject: 'back again' });
  expect((await waiting).subject).toBe('back again');
});

async function dyingService(then: RequestListener) {
  const server = createHttpServer((request, response) => {
    if (request.url !== '/readyz') return then(request, response);
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{"status":"ready"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => void server.close().closeAllConnections();
  opened.push({ stop });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

const refusing =
  (status: number, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error":"Too many."}');

describe.concurrent('a call to a service that was ready but fails later', () => {
  test.each<[string, RequestListener | null, string]>([
    ['refuses connections', null, 'ECONNREFUSED'],
    ['answers 503', refusing(503), 'answered 503: Too many.'],
    ['answers 503 with Retry-After', refusing(503, { 'retry-after': '1' }), 'answered 503: Too many.'],
    ['answers 429', refusing(429, { 'retry-after': '1' }), 'answered 429: Too many.'],
    ['answers 429 for an hour', refusing(429, { 'retry-after': '3600' }), 'answered 429: Too many.'],
    ['closes connections', ({ socket }) => socket.destroy(), 'cannot be reached: other side closed'],
    ['never answers', () => {}, 'cannot be reached: no answer in time'],
  ])('rejects at its timeout with the cause if the service %s', { timeout: 240_000 }, async (_, then, said) => {
    const { baseUrl, stop } = await dyingService(then ?? (() => {}));
    const mayfly = new Mayfly({ baseUrl });
    await mayfly.ready();
    if (then === null) await stop();
    // On a busy machine, repeats the call with a longer timeout.
    const ended = async (factor: number) => {
      const timeout = 4 * factor;
      const begunAt = performance.now();
      const error = await mayfly
        .createInbox()
        .waitForOtp({ timeout })
        .catch((reason) => reason);
      return Promise.reject({ error, lateMs: performance.now() - begunAt - timeout });
    };
    await inVain(ended, ({ error, lateMs }) => {
      expect(error).toMatchObject({ name: 'MayflyTimeoutError', message: expect.stringContaining(said) });
      expect(lateMs).toBeLessThan(2_500);
    });
  });
});

describe('ready()', () => {
  test('resolves when the service is up, however long that takes', async () => {
    const port = await freePort();
    const { fetch, requests } = recordingFetch();
    const ready = new Mayfly({ baseUrl: `http://127.0.0.1:${port}`, fetch, connectTimeout: 1 }).ready({
      timeout: A_DAY_MS,
    });
    await vi.waitFor(() => expect(requests.length).toBeGreaterThan(1), { timeout: 120_000 });
    opened.push(await startService({ port }));
    await ready;
    expect(new Set(requests)).toEqual(new Set(['/readyz']));
  });

  test('rejects at its timeout, when its signal aborts, or immediately if the server is not Mayfly', async () => {
    const mayfly = new Mayfly({ baseUrl: `http://127.0.0.1:${await refusingPort()}` });
    await expect(mayfly.ready({ timeout: 200 })).rejects.toMatchObject({ name: 'MayflyNetworkError' });
    await expect(mayfly.ready({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    const { fetch } = recordingFetch(() => Response.json({ status: 'fine' }));
    const other = new Mayfly({ fetch }).ready({ timeout: A_DAY_MS });
    await expect(other).rejects.toThrow('JSON, but not what Mayfly sends. Is this Mayfly?');
    await expect(mayfly.ready({ timout: 1 } as object)).rejects.toMatchObject({ name: 'MayflyOptionError' });
  });
});

const silent: Answer = (request, init) => {
  if (!request.startsWith('stream')) return null;
  const start = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(new TextEncoder().encode(': connected\n\n'));
    init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
  };
  return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
};

describe('a stream that is open but silent', () => {
  test.concurrent.each([
    [{}, 1],
    [{ subject: /^mail/ }, 1],
    [{}, 2],
  ])('makes a wait read the inbox after 3 s (filter %o, %i emails)', async (filter, count) => {
    const { fetch, requests } = recordingFetch(silent);
    const inbox = new Mayfly({ baseUrl: service.url, fetch, timeout: A_DAY_MS }).inbox(freshName());
    const startedAt = performance.now();
    const waiting = inbox.waitForEmails({ ...filter, count, settle: 0 });
    for (let n = 1; n <= count; n++) await service.mail(inbox.name, { subject: `mail ${n}` });
    expect((await waiting).map(({ subject }) => subject)).toEqual(['mail 2', 'mail 1'].slice(-count));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2_900);
    expect(requests.filter((request) => request.startsWith('stream'))).toHaveLength(1);
  });
});

describe('the end of a wait', () => {
  test('comes after a last read of the inbox, which finds an email that the stream did not deliver', async () => {
    vi.useFakeTimers();
    const { fetch, requests } = recordingFetch((request, init) => {
      if (request.startsWith('stream')) return silent(request, init);
      return Response.json(request === 'email' ? EMAIL : { emails: [{ ...EMAIL, size: 5, cut: [] }], count: 1 });
    });
    const waiting = new Mayfly({ fetch }).createInbox().waitForEmail({ timeout: 2_900 });
    await vi.advanceTimersByTimeAsync(1_440);
    expect(requests).toEqual(['stream']);
    await vi.advanceTimersByTimeAsync(1_460);
    expect((await waiting).subject).toBe('Hello');
  });

  test('is after 20 s by default', async () => {
    vi.useFakeTimers();
    const { fetch } = recordingFetch((request, init) => {
      if (request.startsWith('stream')) return silent(request, init);
      return Response.json({ emails: [], count: 0, domains: ['inbox.example.com'] });
    });
    const ended = expect(new Mayfly({ fetch }).createInbox().waitForEmail()).rejects.toThrow(
      'Waited 20 s for an email.',
    );
    await vi.advanceTimersByTimeAsync(20_000);
    await ended;
  });

  test('names the accepted domains if the inbox has another domain', async () => {
    // Lets the service report another domain as the only one that it accepts.
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const isSettings = `${input}`.endsWith('/api/settings');
      return isSettings ? Response.json({ domains: ['mail.test'] }) : globalThis.fetch(input, init);
    };
    const inbox = new Mayfly({ baseUrl: service.url, fetch }).inbox(freshName());
    await inVain(
      (timeout) => inbox.waitForEmail({ timeout }),
      ({ message }) =>
        expect(message).toContain(
          `No email came to ${inbox}: this Mayfly accepts mail for mail.test only. Check domain and MAYFLY_DOMAIN.`,
        ),
    );
  });

  test('is an immediate error if the service does not accept the domain in the options', async () => {
    const inbox = new Mayfly({ baseUrl: service.url, domain: 'elsewhere.test', timeout: A_DAY_MS }).createInbox();
    const refused = {
      name: 'MayflyResponseError',
      status: 400,
      message: expect.stringContaining('inbox.example.com, so this'),
    };
    await expect(inbox.waitForEmail()).rejects.toMatchObject(refused);
    await expect(inbox.mark()).rejects.toMatchObject(refused);
  });
});

test('a call finds an email even if newer emails fill more than one page', async () => {
  const inbox = new Mayfly({ baseUrl: service.url }).inbox(freshName());
  for (let n = 1; n <= 201; n++) await service.mail(inbox.name, { subject: `mail ${n}` });
  expect((await inbox.latest({ subject: /^mail 1$/ }))?.subject).toBe('mail 1');
});

describe('invalid options', () => {
  const inbox = new Mayfly({ baseUrl: 'http://127.0.0.1:9' }).createInbox();
  const calls = [
    'waitForEmail',
    'waitForOtp',
    'waitForMagicLink',
    'waitForCode',
    'waitForLink',
    'waitForEmails',
  ] as const;

  test.each([...calls, 'expectNoEmail', 'emails', 'latest'] as const)('%s() rejects null', async (call) => {
    const asked = inbox[call](null as unknown as { count: number } & EmailsOptions);
    await expect(asked).rejects.toMatchObject({ name: 'MayflyOptionError' });
  });

  test('new Mayfly(), createInbox() and ready() reject null and non-objects', async () => {
    const none = null as unknown as object;
    expect(() => new Mayfly(none)).toThrow('Mayfly: the options must be an object.');
    expect(() => new Mayfly([] as object)).toThrow('the options must be an object');
    expect(() => new Mayfly('x' as unknown as object)).toThrow('the options must be an object');
    expect(() => new Mayfly().createInbox(none)).toThrow('the options must be an object');
    await expect(new Mayfly().ready(none)).rejects.toThrow('the options must be an object');
    expect(() => new Mayfly().inbox(none as unknown as string)).toThrow('inbox: nameOrAddress must be a string.');
  });

  test('waitForEmail() rejects a condition that returns a promise', async () => {
    const real = new Mayfly({ baseUrl: service.url }).inbox(freshName());
    await service.mail(real.name);
    const where = (async () => true) as unknown as () => boolean;
    await expect(real.waitForEmail({ where, timeout: A_DAY_MS })).rejects.toMatchObject({
      name: 'MayflyOptionError',
      message: expect.stringContaining('where() must return true or false, not a promise.'),
    });
  });
});

test.each([
  ['not JSON', 'Hello', `answered 200: no JSON, but Hello Is this Mayfly?`],
  ['empty', '', 'answered 200: no JSON, but '],
])('a call rejects a 200 response that is %s', async (_, body, sentence) => {
  const { fetch } = recordingFetch(() => new Response(body, { headers: { 'content-type': 'application/json' } }));
  const inbox = new Mayfly({ baseUrl: service.url, fetch, timeout: A_DAY_MS }).createInbox();
  await expect(inbox.emails()).rejects.toMatchObject({
    name: 'MayflyResponseError',
    status: 200,
    message: expect.stringContaining(sentence),
  });
});
