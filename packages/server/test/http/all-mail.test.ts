import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesIn } from 'mayfly-cli';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readPageFiles } from '../../src/http/routes/inbox-page.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

const PATIENCE = { timeout: 10_000, interval: 5 };
const HOST = 'localhost:8080';
const KEY = 'acme-key-of-16-chars';
const WITH_KEY = { authorization: `Bearer ${KEY}` };
const LOOPBACK = parseRange('127.0.0.1') as AddressRange;
const PRIVATE = `p-${'a2'.repeat(13)}`;

let api: TestApi;
let folder: string;
let page: Awaited<ReturnType<typeof readPageFiles>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-all-'));
  for (const suffix of ['', '.br', '.gz']) await writeFile(path.join(folder, `index.html${suffix}`), 'page');
  page = await readPageFiles(filesIn(folder));
});

afterAll(() => rm(folder, { recursive: true }));

const start = async (options: TestApiOptions = {}) => {
  api = await startApi({ localOnly: true, page, workspaces: [{ workspace: 'acme', key: KEY }], ...options });
  for (const inbox of ['demo', 'acme-box', PRIVATE]) await api.mail(inbox);
};

afterEach(() => api.close());

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  api.app.inject({ method, url, headers: { host: HOST, ...headers } });

/** Requests the list of all mail, and resolves to the inboxes that the caller may see. */
async function inboxes(headers = {}): Promise<string[]> {
  const response = await ask('/api/emails', headers);
  expect(response.statusCode).toBe(200);
  return response
    .json()
    .emails.map(({ inbox }: { inbox: string }) => inbox)
    .sort();
}

describe('GET /api/emails (D67)', () => {
  test('lists all mail for this machine, except mail of workspaces and private inboxes', async () => {
    await start();
    expect(await inboxes()).toEqual(['demo']);
    expect(await inboxes(WITH_KEY)).toEqual(['acme-box', 'demo']);
    expect((await ask('/api/settings')).json().allMail).toBe(true);
  });

  test('if other machines can reach the service, lists only mail of the workspace whose key is given', async () => {
    await start({ localOnly: false });
    expect(await inboxes(WITH_KEY)).toEqual(['acme-box']);
    expect((await ask('/api/settings', WITH_KEY)).json().allMail).toBe(false);
  });

  test("lists all mail for a client in the operator's networks, unless its Host is a public name", async () => {
    await start({ localOnly: false, admitted: [LOOPBACK] });
    expect(await inboxes()).toEqual(['demo']);
    const rebound = await ask('/api/emails', { host: 'rebound.example' });
    expect([rebound.statusCode, rebound.json().error]).toEqual([400, expect.stringContaining('local network name')]);
    expect((await ask('/api/emails', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await ask('/api/settings', { 'sec-fetch-site': 'cross-site' })).json().allMail).toBe(false);
  });

  test.each([
    ['another machine can reach the service', { localOnly: false }, {}],
    ['a local proxy forwards a request of another machine', {}, { 'x-forwarded-for': '203.0.113.9' }],
    ['a local proxy forwards a request without the client', {}, { via: '1.1 proxy' }],
    ['a trusted proxy names another machine', { trusted: [LOOPBACK] }, { 'x-forwarded-for': '203.0.113.9' }],
    [
      'a client outside of the given networks requests the list',
      { localOnly: false, admitted: [parseRange('10.0.0.0/8') as AddressRange] },
      {},
    ],
  ] as const)('does not exist if %s', async (_, options, headers) => {
    await start(options as TestApiOptions);
    const lost = await ask('/nowhere', headers);
    for (const url of ['/api/emails', '/api/emails?limit=wrong', '/api/emails/outline', '/api/emails/stream', '/all']) {
      const response = await ask(url, headers);
      expect([response.statusCode, response.body]).toEqual([404, lost.body]);
      expect(response.headers).toEqual({ ...lost.headers, date: response.headers.date });
    }
    const visit = { ...headers, accept: 'text/html' };
    const lostVisit = await ask('/nowhere', visit);
    for (const url of ['/api/emails', '/all']) {
      const response = await ask(url, visit);
      expect([response.statusCode, response.body]).toEqual([404, 'page']);
      expect(response.headers).toEqual({ ...lostVisit.headers, date: response.headers.date });
    }
    expect((await ask('/api/settings', headers)).json().allMail).toBe(false);
  });

  test.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { origin: 'http://localhost:3000' }, 403],
    ['a host name that resolves to this machine', { host: 'rebound.example' }, 400],
    ['a wrong key', { authorization: 'Bearer wrong-key-of-16-chars' }, 401],
  ])('rejects %s', async (_, headers, status) => {
    await start();
    for (const url of ['/api/emails', '/api/emails/outline', '/api/emails/stream'])
      expect((await ask(url, headers)).statusCode).toBe(status);
  });

  test('lists all mail for an origin that --cors-origin names, but not for an origin that only * allows', async () => {
    await start({ corsOrigins: ['*', 'https://ours.test'] });
    const statusFor = async (origin: string) => (await ask('/api/emails', { origin })).statusCode;
    expect([await statusFor('https://ours.test'), await statusFor('https://evil.test')]).toEqual([200, 403]);
    expect((await ask('/api/inbox/demo', { origin: 'https://evil.test' })).statusCode).toBe(200);
  });

  test('has an outline of the mail that the caller may list, and rejects an invalid cursor', async () => {
    await start();
    const outline = async (query = '', headers = {}) => (await ask(`/api/emails/outline${query}`, headers)).json();
    const page = { cursor: null, oldest: new Date(api.clock.now()).toISOString() };
    expect(await outline()).toEqual({ pages: [{ ...page, count: 1 }], next: null });
    expect(await outline('', WITH_KEY)).toEqual({ pages: [{ ...page, count: 2 }], next: null });
    expect(await outline('?cursor=0')).toEqual({ pages: [], next: null });
    expect((await outline('?cursor=../..')).error).toContain('cursor');
  });

  test('returns the list in pages, and rejects an invalid query with the reason', async () => {
    await start();
    for (let n = 0; n < 3; n++) {
      await api.clock.advance(1);
      await api.mail(`n${n}`, 'Hello', { Subject: `${n}` });
    }
    const first = (await ask('/api/emails?limit=2')).json();
    expect(first.emails.map(({ subject }: { subject: string }) => subject)).toEqual(['2', '1']);
    const second = (await ask(`/api/emails?limit=2&cursor=${first.next}`)).json();
    expect(second).toMatchObject({ count: 2, next: null });
    expect(second.emails[0].subject).toBe('0');
    expect((await ask('/api/emails?to=N1')).json().count).toBe(1);
    expect((await ask('/api/emails?search=n1%20hello')).json().count).toBe(1);
    expect((await ask('/api/emails?source=any&unknown=1')).statusCode).toBe(200);
    for (const [query, name] of [
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=05', 'limit'],
      ['cursor=', 'cursor'],
      ['cursor=../..', 'cursor'],
      ['cursor=zzzzzzzzzzz', 'cursor'],
      ['cursor=1&cursor=2', 'cursor'],
      ['to=a&to=b', 'to'],
      [`search=${'x'.repeat(201)}`, 'search'],
      ['after=yesterday', 'after'],
      ['hasotp=true', 'hasotp'],
      ['before=2026-01-31T09:30:00.000Z', 'cursor ("next" of the previous page) for paging'],
    ]) {
      const response = await ask(`/api/emails?${query}`);
      expect([query, response.statusCode]).toEqual([query, 400]);
      expect(response.json().error).toContain(name);
    }
    for (const cursor of ['0', 'zzzzzzzzzz']) expect((await ask(`/api/emails?cursor=${cursor}`)).statusCode).toBe(200);
  });
});

describe('GET /api/emails/stream (D67)', () => {
  interface Opened {
    readonly socket: Socket;
    text(): string;
  }

  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function open(headers: Record<string, string> = {}): Promise<Opened> {
    if (!api.app.server.listening) await api.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    const lines = Object.entries({ host: HOST, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /api/emails/stream HTTP/1.1\r\n${lines.join('')}\r\n`);
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    await vi.waitFor(() => expect(text).toMatch(/: connected\n\n|"error"/), PATIENCE);
    return { socket, text: () => text };
  }

  const told = ({ text }: Opened, pattern: RegExp) => vi.waitFor(() => expect(text()).toMatch(pattern), PATIENCE);

  test('announces new mail and deletions only to callers who may see that mail', async () => {
    await start();
    const [mine, team] = [await open(), await open(WITH_KEY)];
    expect(mine.text()).toContain('content-type: text/event-stream');
    await api.mail('acme-other');
    await api.mail(PRIVATE);
    await api.mail('fresh', 'Your code is 482913', { Subject: 'Grüße' });
    await api.clock.advance(100);
    await told(mine, /event: email\ndata: \{"inbox":"fresh",.*"subject":"Grüße".*"otp":"482913".*\}\n\n/);
    await told(team, /"inbox":"acme-other"[\s\S]*"inbox":"fresh"/);
    for (const { text } of [mine, team]) expect(text()).not.toContain(PRIVATE);
    expect(mine.text()).not.toContain('acme');
    await api.inboxes.clear('fresh');
    await api.clock.advance(100);
    await told(mine, /event: changed\ndata: \{\}\n\n/);
  });

  test('sends a comment every ten seconds and ends after ten minutes', async () => {
    await start();
    const stream = await open();
    const closed = once(stream.socket, 'close');
    await api.clock.advance(10_000);
    await told(stream, /: keepalive\n\n/);
    await api.clock.advance(590_000);
    await closed;
    await api.clock.advance(10_000);
    expect(api.clock.alarms).toBe(0);
  });

  test('can be open 20 times per client, and once more after one of these streams closes', async () => {
    await start({ maxStreamsPerClient: 100 });
    for (let n = 0; n < 20; n++) await open();
    const refused = await open();
    expect(refused.text()).toMatch(/^HTTP\/1\.1 429 [\s\S]*Too many streams of all mail are open/);
    sockets[0]?.destroy();
    await vi.waitFor(async () => expect((await open()).text()).toMatch(/^HTTP\/1\.1 200 /), PATIENCE);
  });

  test('ends when the service stops', async () => {
    await start();
    const { socket } = await open();
    const closed = once(socket, 'close');
    api.streams.endAll();
    await closed;
  });
});
