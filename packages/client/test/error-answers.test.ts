import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { inboxApi, serviceSettings } from '../src/api.js';
import { type Inbox, Mayfly } from '../src/index.js';
import { MAX_QUOTE_LENGTH } from '../src/wait/error-answer.js';
import { inVain } from './in-vain.js';

/** A timeout that no test reaches, so a call can only end because of an event. */
const A_DAY_MS = 86_400_000;

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html' };

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function answering(answer: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CALLS: Readonly<Record<string, (inbox: Inbox) => Promise<unknown>>> = {
  emails: (inbox) => inbox.emails(),
  latest: (inbox) => inbox.latest(),
  mark: (inbox) => inbox.mark(),
  attempts: (inbox) => inbox.attempts(),
  clear: (inbox) => inbox.clear(),
  release: (inbox) => inbox.release(),
  'release of some': (inbox) => inbox.release([1]),
  delete: (inbox) => inbox.delete({ receivedAt: new Date(0) }),
  waitForEmail: (inbox) => inbox.waitForEmail(),
  waitForOtp: (inbox) => inbox.waitForOtp(),
  waitForEmails: (inbox) => inbox.waitForEmails({ count: 2 }),
  expectNoEmail: (inbox) => inbox.expectNoEmail({ within: A_DAY_MS }),
};

/** The error of each call. All calls start together, so the first failures occur while the error modules load. */
async function errorsOf(options: ConstructorParameters<typeof Mayfly>[0]): Promise<Record<string, unknown>> {
  const mayfly = new Mayfly({ connectTimeout: A_DAY_MS, ...options });
  const inbox = mayfly.createInbox();
  const calls = Object.entries<(inbox: Inbox) => Promise<unknown>>({ ...CALLS, ready: () => mayfly.ready() });
  const ended = calls.map(async ([name, call]) => [name, await call(inbox).catch((error) => error)]);
  return Object.fromEntries(await Promise.all(ended));
}

const PAGE = '<h1>Sign in</h1>';
const LONG = 'x'.repeat(10_000_000);

const FINAL: [string, (response: ServerResponse) => unknown, string, number, string][] = [
  [
    'a sentence of Mayfly',
    (response) => response.writeHead(400, JSON_TYPE).end('{"error":"Not like this."}'),
    'MayflyResponseError',
    400,
    'answered 400: Not like this.',
  ],
  [
    'a page of a proxy that wants a password',
    (response) => response.writeHead(401, HTML_TYPE).end(PAGE),
    'MayflyAuthError',
    401,
    `answered 401: ${PAGE} Check apiKey`,
  ],
  ['nothing', (response) => response.writeHead(403).end(), 'MayflyResponseError', 403, 'answered 403 without text.'],
  [
    'the JSON of a service whose errors are objects',
    (response) => response.writeHead(403, JSON_TYPE).end('{"error":{"code":7,"message":"No."}}'),
    'MayflyResponseError',
    403,
    'answered 403: {"error":{"code":7,"message":"No."}}',
  ],
  [
    'ten million characters',
    (response) => response.writeHead(401, HTML_TYPE).end(LONG),
    'MayflyAuthError',
    401,
    `answered 401: ${LONG.slice(0, MAX_QUOTE_LENGTH)} Check`,
  ],
  [
    'a text that stalls',
    (response) => response.writeHead(401, HTML_TYPE).write('Half a sen'),
    'MayflyAuthError',
    401,
    'answered 401: Half a sen',
  ],
  [
    'a text that breaks off',
    (response) => response.writeHead(401, HTML_TYPE).write('Half a sen', () => response.destroy()),
    'MayflyAuthError',
    401,
    'answered 401',
  ],
];

describe.concurrent('a response that no retry can fix', () => {
  test.each(FINAL)('(%s) rejects every call immediately', async (_, answer, name, status, sentence) => {
    const errors = await errorsOf({ baseUrl: await answering(answer), timeout: A_DAY_MS });
    for (const error of Object.values(errors))
      expect(error).toMatchObject({ name, status, message: expect.stringContaining(sentence) });
  });

  test('reports a missing email with MayflyGoneError, except to delete(), which succeeds', async () => {
    const head = { ...JSON_TYPE, 'mayfly-error': 'no-such-email' };
    const baseUrl = await answering((response) => response.writeHead(404, head).end('{"error":"It is gone."}'));
    const { delete: deletion, ...errors } = await errorsOf({ baseUrl, timeout: A_DAY_MS });
    expect(deletion).toBeUndefined();
    for (const error of Object.values(errors))
      expect(error).toMatchObject({
        name: 'MayflyGoneError',
        message: `Mayfly at ${baseUrl} answered 404: It is gone.`,
      });
  });
});

const SUMMARY = { receivedAt: '2026-01-31T09:30:00.000Z', subject: 'Hello', cut: [] };
const EMAIL = { ...SUMMARY, from: 'a@example.org', body: '', rawBody: '' };

const FOREIGN_ELEMENTS: unknown[] = [null, 5, 'text', [], {}, { receivedAt: null }];
const FOREIGN_SUMMARIES: unknown[] = [
  ...FOREIGN_ELEMENTS,
  { ...SUMMARY, receivedAt: 'soon' },
  { ...SUMMARY, receivedAt: 1_769_851_800_000 },
  { ...SUMMARY, subject: undefined },
  { ...SUMMARY, subject: 5 },
  { ...SUMMARY, cut: 5 },
];
const FOREIGN_EMAILS: unknown[] = [
  ...[null, 5, 'text', [], {}],
  { ...EMAIL, from: null },
  { ...EMAIL, body: undefined },
  { ...EMAIL, rawBody: {} },
  { ...EMAIL, subject: 5 },
  { ...EMAIL, receivedAt: 'soon' },
];
const FOREIGN_PARTS: unknown[] = [
  {},
  { codes: {}, links: [], headers: [], parts: [] },
  { codes: [null], links: [], headers: [], parts: [] },
  { codes: [{ value: 5 }], links: [], headers: [], parts: [] },
  { codes: [], links: [{ url: 'https://example.org/' }], headers: [], parts: [] },
  { codes: [], links: [], headers: 5, parts: [] },
  { codes: [], links: [], headers: [], parts: [null] },
];

const CANDIDATE = { value: '482913', verdict: 'chosen', score: 5, where: 'text', reasons: [] };
const EXPLANATION = { otpCandidates: [CANDIDATE], letterCandidates: [], magicLinkCandidates: [] };
const FOREIGN_EXPLANATIONS: unknown[] = [
  ...[null, 5, 'text', [], {}],
  { ...EXPLANATION, otpCandidates: {} },
  { ...EXPLANATION, letterCandidates: [null] },
  { ...EXPLANATION, magicLinkCandidates: undefined },
  { ...EXPLANATION, otpCandidates: [{ ...CANDIDATE, value: 5 }] },
  { ...EXPLANATION, otpCandidates: [{ ...CANDIDATE, reasons: 'none' }] },
  { ...EXPLANATION, otpCandidates: [{ ...CANDIDATE, reasons: [{ rule: 5, text: '' }] }] },
];
const CHECK = {
  images: { sources: [] },
  clients: [{ family: 'Gmail' }],
  unsubscribe: { urls: [] },
  features: [{ name: 'a', url: 'b', partial: [], unsupported: [] }],
};
const FOREIGN_CHECKS: unknown[] = [
  ...[null, 5, 'text', [], {}],
  { ...CHECK, images: null },
  { ...CHECK, images: { sources: [5] } },
  { ...CHECK, clients: [{ family: 5 }] },
  { ...CHECK, unsubscribe: {} },
  { ...CHECK, features: [null] },
  { ...CHECK, features: [{ name: 'a', url: 'b', partial: 5, unsupported: [] }] },
];

/** An inbox of a service that answers each request with a JSON value, chosen by the end of the path. */
async function inboxOf(answers: Readonly<Record<string, unknown>>): Promise<Inbox> {
  const baseUrl = await answeringKinds(answers);
  return new Mayfly({ baseUrl, timeout: A_DAY_MS, connectTimeout: A_DAY_MS }).createInbox();
}

async function answeringKinds(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const kind = Object.keys(answers).find((end) => new URL(url, 'http://localhost').pathname.endsWith(end));
    if (kind === undefined) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': connected\n\n');
    else response.writeHead(200, JSON_TYPE).end(JSON.stringify(answers[kind]));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const IS_FOREIGN = {
  name: 'MayflyResponseError',
  status: 200,
  message: expect.stringMatching(/answered 200: JSON, but not what Mayfly sends\. Is this Mayfly\?/),
};

describe.concurrent('if a response is JSON that Mayfly never sends', () => {
  test.for(FOREIGN_SUMMARIES)('every call that reads summaries rejects: %j', async (element) => {
    const inbox = await inboxOf({ '/summary': { emails: [element], count: 1 } });
    const wait = inbox.waitForEmail({ subject: 'Hello', from: 'a' });
    const calls = [inbox.emails(), inbox.latest(), inbox.mark(), wait, inbox.expectNoEmail({ within: A_DAY_MS })];
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(IS_FOREIGN)));
  });

  test.for(FOREIGN_EMAILS)('every call that reads emails rejects: %j', async (email) => {
    const inbox = await inboxOf({ '/summary': { emails: [SUMMARY], count: 1 }, Z: email });
    await expect(inbox.emails()).rejects.toMatchObject(IS_FOREIGN);
    await expect(inbox.latest()).rejects.toMatchObject(IS_FOREIGN);
  });

  test.for(FOREIGN_EMAILS)('emails() rejects if it fetches 21 emails in one request: %j', async (email) => {
    const emails = Array.from({ length: 21 }, () => SUMMARY);
    const inbox = await inboxOf({ '/summary': { emails, count: 21 }, '': { emails: [email], count: 1 } });
    await expect(inbox.emails()).rejects.toMatchObject(IS_FOREIGN);
  });

  test.for(FOREIGN_ELEMENTS)('attempts() rejects: %j', async (attempt) => {
    const inbox = await inboxOf({ '/attempts': { attempts: [attempt] } });
    await expect(inbox.attempts()).rejects.toMatchObject(IS_FOREIGN);
  });

  test.each([{}, 'text', 5, null])('attempts() and mark() reject if the list is %j', async (value) => {
    const inbox = await inboxOf({ '/attempts': { attempts: value }, '/summary': { emails: value } });
    await expect(inbox.attempts()).rejects.toMatchObject(IS_FOREIGN);
    await expect(inbox.mark()).rejects.toMatchObject(IS_FOREIGN);
  });

  test.for(FOREIGN_PARTS)('every call that reads parsed contents rejects: %j', async (parts) => {
    const inbox = await inboxOf({ '/summary': { emails: [SUMMARY], count: 1 }, '/parts': parts, Z: EMAIL });
    const [email] = await inbox.emails();
    const reads = [email?.codes(), email?.links(), email?.headers(), email?.attachments(), inbox.waitForCode()];
    await Promise.all(reads.map((read) => expect(read).rejects.toMatchObject(IS_FOREIGN)));
  });
});

describe.concurrent('the check whether JSON is from Mayfly', () => {
  test.for(FOREIGN_EXPLANATIONS)('rejects an invalid explanation of an email: %j', async (explanation) => {
    const answers = { '/summary': { emails: [SUMMARY], count: 1 }, '/explain': explanation, Z: EMAIL };
    const [email] = await (await inboxOf(answers)).emails();
    await expect(email?.explain()).rejects.toMatchObject(IS_FOREIGN);
    const api = inboxApi('demo', { baseUrl: await answeringKinds(answers) });
    await expect(api.explanation(SUMMARY.receivedAt)).rejects.toMatchObject(IS_FOREIGN);
  });

  test.for(FOREIGN_EMAILS)('rejects an invalid response to email() of PageApi: %j', async (email) => {
    const api = inboxApi('demo', { baseUrl: await answeringKinds({ Z: email }) });
    await expect(api.email(SUMMARY.receivedAt)).rejects.toMatchObject(IS_FOREIGN);
  });

  test.for(FOREIGN_CHECKS)('rejects an invalid response to check() of PageApi: %j', async (check) => {
    const api = inboxApi('demo', { baseUrl: await answeringKinds({ '/check': check }) });
    await expect(api.check(SUMMARY.receivedAt)).rejects.toMatchObject(IS_FOREIGN);
  });

  test.for([null, {}, { domains: 'inbox.example.com' }, { domains: [5] }])('rejects settings: %j', async (settings) => {
    const baseUrl = await answeringKinds({ '/settings': settings });
    await expect(serviceSettings({ baseUrl })).rejects.toMatchObject(IS_FOREIGN);
  });

  test('accepts correct responses', async () => {
    const baseUrl = await answeringKinds({ '/explain': EXPLANATION, '/check': CHECK, Z: EMAIL });
    const api = inboxApi('demo', { baseUrl });
    expect(await api.explanation(SUMMARY.receivedAt)).toEqual(EXPLANATION);
    expect(await api.check(SUMMARY.receivedAt)).toEqual(CHECK);
    expect(await api.email(SUMMARY.receivedAt)).toEqual(EMAIL);
  });
});

const PASSING: [number, string, string][] = [
  [408, PAGE, 'MayflyResponseError'],
  [429, '', 'MayflyRateLimitError'],
  [429, '{"error":{"code":7}}', 'MayflyRateLimitError'],
  [500, '{"error":{"code":7}}', 'MayflyResponseError'],
  [502, PAGE, 'MayflyResponseError'],
  [503, '', 'MayflyResponseError'],
  [504, PAGE, 'MayflyResponseError'],
];

describe.concurrent('a response that may change on a retry', () => {
  test.each(PASSING)('(%i, %j) rejects a call at its deadline', async (status, body, name) => {
    const baseUrl = await answering((response) => response.writeHead(status, HTML_TYPE).end(body));
    const sentence = body === '' ? ' without text.' : `: ${body}`;
    const error = { name, status, message: `Mayfly at ${baseUrl} answered ${status}${sentence}` };
    const inboxOf = (timeout: number) => new Mayfly({ baseUrl, timeout, connectTimeout: A_DAY_MS }).createInbox();
    const list = inVain(
      (timeout) => inboxOf(timeout).emails(),
      (ended) => expect(ended).toMatchObject(error),
    );
    const wait = inVain(
      (timeout) => inboxOf(timeout).waitForEmail(),
      (ended) => expect(ended).toMatchObject({ name: 'MayflyTimeoutError', cause: error }),
    );
    await Promise.all([list, wait]);
  });
});

test.each(['emails', 'waitForEmail'] as const)(
  'a response that Node cannot decode rejects only its call, without an uncaught error (%s)',
  async (call) => {
    const head = { ...JSON_TYPE, 'content-encoding': 'gzip,gzip,gzip,gzip,gzip,gzip' };
    const baseUrl = await answering((response) => response.writeHead(200, head).end('x'.repeat(1_000_000)));
    const uncaught: unknown[] = [];
    const catches = (error: unknown) => uncaught.push(error);
    process.prependListener('uncaughtException', catches);
    const inbox = new Mayfly({ baseUrl, timeout: 30_000 }).createInbox();
    // Node 20.19 accepts any number of encodings, and fails only when it decompresses the body.
    const reason = process.version.startsWith('v20.19.') ? 'incorrect header check' : 'too many content-encodings';
    await expect(inbox[call]()).rejects.toThrow(`cannot be reached: ${reason}`);
    process.off('uncaughtException', catches);
    expect(uncaught).toEqual([]);
  },
);
