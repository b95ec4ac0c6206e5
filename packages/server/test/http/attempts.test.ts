import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { AttemptBook } from '../../src/attempts/book.js';
import { shownAttempts } from '../../src/attempts/shown-attempts.js';
import { smtpErrors } from '../../src/errors.js';
import { adHocOf } from '../../src/inbox/ad-hoc.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { refusal } from '../../src/smtp/replies.js';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

const KEY = 'a-key-of-acme-that-is-long-enough';

/** Name of a private inbox. */
const PRIVATE = `p-${'a'.repeat(26)}`;

const NETWORK = [parseRange('10.0.0.0/8') as AddressRange];

let api: TestApi;

afterEach(async () => {
  await api.close();
});

async function start(options: TestApiOptions = {}): Promise<AttemptBook> {
  api = await startApi(options);
  return api.attempts;
}

/** Records a message that was rejected because the service does not accept the domain of these addresses. */
function refuse(book: AttemptBook, client: string, ...addresses: readonly string[]): void {
  const attempt = book.begin({ way: 'smtp', client, from: 'app@app.test' });
  for (const address of addresses)
    attempt.recipient(address, refusal(smtpErrors.foreignDomain, { domains: 'inbox.example.com' }));
  attempt.end();
}

/** Records a connection that was closed without a command. */
function leave(book: AttemptBook, client: string): void {
  const facts = { tls: 'no', auth: 'no', hello: null, lastCommand: null, adHoc: null } as const;
  const observer = book.observe({ client, isProxy: false, ...facts });
  observer.connected?.();
  observer.ended?.({ isDismissed: false, reason: null, offered: null });
}

const get = (url: string, remoteAddress = '127.0.0.1', headers: Record<string, string> = {}) =>
  api.app.inject({ url, remoteAddress, headers: { host: 'localhost', ...headers } });

describe('GET /api/inbox/{name}/attempts', () => {
  test('lists rejected mail even if the inbox is empty, but hides the other recipients of that mail', async () => {
    const book = await start({ localOnly: true });
    refuse(book, '10.0.0.1', 'sign-up@example.com', 'other@example.com');
    const response = await get('/api/inbox/Sign-Up/attempts');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      node: expect.stringMatching(/./),
      smtp: { port: 2525, domains: ['inbox.example.com'], startTls: false, authWithoutTls: true },
      attempts: [{ client: '10.0.0.1', to: 'sign-up@example.com', outcome: 'foreign-domain', error: { code: 550 } }],
    });
    expect(response.body).not.toContain('other@');
  });

  test('lists the first client that read an email in the web UI, over a stream and with a fetch', async () => {
    const book = await start({ localOnly: true });
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.1', from: '' });
    attempt.recipient('a@inbox.example.com', null);
    await api.mail('a');
    attempt.kept([api.clock.now()]);
    attempt.end();
    for (const path of ['/stream?source=browser', '/stream?source=sdk', '', '', '/stream']) {
      await get(`/api/inbox/a${path}`);
      await api.clock.advance(10);
    }
    expect((await get('/api/inbox/a/attempts')).json().attempts[0].handed).toEqual([
      { way: 'page', client: '127.0.0.1', ms: 0 },
      { way: 'stream', client: '127.0.0.1', ms: 10 },
      { way: 'fetch', client: '127.0.0.1', ms: 20 },
    ]);
  });

  test('lists each client that waits for this inbox, with its filters', async () => {
    await start({ localOnly: true });
    const since = new Date(api.clock.now()).toISOString();
    const filter = `hasOtp=true&subject=${'x'.repeat(300)}&after=2026-01-01T00:00:00Z`;
    const streams = [get(`/api/inbox/a/stream?${filter}`), get('/api/inbox/b/stream')];
    const waits = async () => (await get('/api/inbox/a/attempts')).json().waits;
    await expect.poll(waits).toEqual([
      {
        ...{ since, way: 'stream', client: '127.0.0.1' },
        filter: { after: '2026-01-01T00:00:00.000Z', subject: 'x'.repeat(200), hasOtp: true },
      },
    ]);
    await api.clock.advance(30_000);
    await Promise.all(streams);
    expect(await waits()).toEqual([]);
  });

  test.each<[who: string, from: string, options: TestApiOptions, headers: Record<string, string>]>([
    ['a client', '10.0.0.1', {}, {}],
    ['a workspace', '10.0.0.1', { workspaces: [{ workspace: 'a', key: KEY }] }, { authorization: `Bearer ${KEY}` }],
    ['a client behind a proxy on this machine', '10.0.0.1', { localOnly: true }, { 'x-forwarded-for': '10.0.0.9' }],
    ['a page in a network of the operator', '10.0.0.1', { admitted: NETWORK }, { host: 'rebound.example' }],
  ])('on a shared host, shows %s its own address, and null for others', async (_who, from, options, headers) => {
    const book = await start(options);
    for (const client of ['10.0.0.1', '10.0.0.2']) {
      const attempt = book.begin({ way: 'smtp', client, from: '' });
      attempt.recipient('a-b@inbox.example.com', null);
      await api.mail('a-b');
      attempt.kept([api.clock.now()]);
      attempt.end();
      const taker = { way: 'fetch', client: '10.0.0.2' } as const;
      book.handedOut('a-b', [{ receivedAt: api.clock.now() }], taker);
      await api.clock.advance(10);
    }
    const waiting = get('/api/inbox/a-b/stream?subject=none', '10.0.0.2', headers);
    const seen = () => get('/api/inbox/a-b/attempts', from, headers);
    await expect.poll(async () => (await seen()).json().waits).toMatchObject([{ client: null }]);
    const response = await seen();
    expect(response.json().attempts).toMatchObject([
      { client: null, handed: [{ way: 'fetch', client: null }] },
      { client: '10.0.0.1', handed: [{ client: null }] },
    ]);
    expect(response.body).not.toContain('10.0.0.2');
    await api.clock.advance(30_000);
    await waiting;
  });

  test("shows all addresses to clients in the operator's networks", async () => {
    const book = await start({ admitted: NETWORK });
    refuse(book, '192.0.2.1', 'a@example.com');
    const { attempts } = (await get('/api/inbox/a/attempts', '10.0.0.1', { host: '10.0.0.2' })).json();
    expect(attempts).toMatchObject([{ client: '192.0.2.1' }]);
  });

  test("requires the workspace's key, even to list delivery attempts to a rejected domain", async () => {
    const book = await start({ workspaces: [{ workspace: 'acme', key: KEY }] });
    refuse(book, '10.0.0.1', 'acme-x@example.com');
    expect((await get('/api/inbox/acme-x/attempts')).statusCode).toBe(401);
    const response = await get('/api/inbox/acme-x/attempts', '127.0.0.1', { authorization: `Bearer ${KEY}` });
    expect(response.json().attempts).toHaveLength(1);
  });
});

describe('a client that speaks SMTP to the HTTP port', () => {
  test.each(['EHLO app.test\r\n', 'helo app.test\r\n'])('is listed after it sends %j', async (line) => {
    const book = await start();
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.resume().write(line);
    await once(socket, 'close');
    expect(shownAttempts(book.withoutInbox({ after: 0 }), (client) => client)).toMatchObject([
      { client: '127.0.0.1', outcome: 'http-port' },
    ]);
  });
});

describe('GET /api/attempts', () => {
  test('if only this machine has access, shows sessions without an inbox, and the counts of all clients', async () => {
    const book = await start({ localOnly: true });
    leave(book, '127.0.0.1');
    refuse(book, '127.0.0.1', 'a@example.com');
    const { attempts, counts } = (await get('/api/attempts')).json();
    expect(attempts).toMatchObject([{ client: '127.0.0.1', to: null, outcome: 'no-command' }]);
    expect(counts).toEqual({ 'no-command': 1, 'foreign-domain': 1 });
  });

  test.each<[who: string, options: TestApiOptions, headers: Record<string, string>]>([
    ['a client', {}, {}],
    ['a workspace', { workspaces: [{ workspace: 'acme', key: KEY }] }, { authorization: `Bearer ${KEY}` }],
    ['a client behind a proxy on this machine', { localOnly: true }, { 'x-forwarded-for': '10.0.0.9' }],
  ])('on a shared host, %s gets only the counts for the requesting IP address', async (_who, options, headers) => {
    const book = await start(options);
    leave(book, '10.0.0.1');
    leave(book, '10.0.0.2');
    refuse(book, '10.0.0.2', 'a@example.com');
    const response = await get('/api/attempts', '10.0.0.1', headers);
    expect(response.json()).toMatchObject({ attempts: null, counts: { 'no-command': 1 } });
    expect(response.body).not.toContain('10.0.0.2');
  });

  test('with inboxes=all, also lists the attempts for inboxes, except those for private ones', async () => {
    const book = await start({ localOnly: true });
    leave(book, '127.0.0.1');
    refuse(book, '127.0.0.1', `${PRIVATE}@example.com`, 'a@example.com', 'a..b@example.com');
    const listed = async (query: string) => (await get(`/api/attempts${query}`)).json().attempts;
    expect(await listed('?inboxes=all')).toMatchObject([
      { to: 'a@example.com', outcome: 'foreign-domain' },
      { to: 'a..b@example.com' },
      { to: null, outcome: 'no-command' },
    ]);
    expect(await listed('')).toMatchObject([{ to: null }]);
    expect((await get('/api/attempts?inboxes=some')).json().error).toContain('"inboxes"');
  });

  test('on a shared host, inboxes=all lists only the attempts for inboxes of the workspace', async () => {
    const book = await start({ workspaces: [{ workspace: 'acme', key: KEY }] });
    leave(book, '10.0.0.1');
    refuse(book, '10.0.0.2', 'acme-a@example.com', 'other@example.com');
    const listed = async (headers = {}) =>
      (await get('/api/attempts?inboxes=all', '10.0.0.1', headers)).json().attempts;
    expect(await listed()).toBeNull();
    expect(await listed({ authorization: `Bearer ${KEY}` })).toMatchObject([
      { client: null, to: 'acme-a@example.com' },
    ]);
  });

  test('on a shared host, inboxes=all names no other client of the ad-hoc workspace', async () => {
    const book = await start({ adHocQuota: { hasMail: () => false } });
    const adHoc = adHocOf({ user: 'run-1', password: 'secret-of-run-1' });
    const attempt = book.begin({ way: 'smtp', client: '10.0.0.2', from: 'app@app.test', adHoc });
    attempt.recipient('a@example.com', refusal(smtpErrors.foreignDomain, { domains: 'inbox.example.com' }));
    attempt.end();
    const headers = { authorization: 'Bearer run-1:secret-of-run-1' };
    const response = await get('/api/attempts?inboxes=all', '10.0.0.1', headers);
    expect(response.json().attempts).toMatchObject([{ client: null, to: 'a@example.com' }]);
    expect(response.body).not.toContain('10.0.0.2');
  });

  test.each(['/api/attempts?inboxes=all&outcome=failed', '/api/inbox/a/attempts?outcome=failed'])(
    '%s lists the failures before 100 newer emails, without what succeeded',
    async (url) => {
      const book = await start({ localOnly: true });
      refuse(book, '127.0.0.1', 'a@example.com');
      for (let sent = 0; sent < 100; sent += 1) {
        const attempt = book.begin({ way: 'smtp', client: '127.0.0.1', from: '' });
        attempt.recipient('a@inbox.example.com', null);
        attempt.kept([api.clock.now()]);
        attempt.end();
      }
      expect((await get(url.replace('failed', 'kept'))).json().error).toContain('"outcome"');
      expect((await get(url)).json().attempts).toMatchObject([{ to: 'a@example.com', outcome: 'foreign-domain' }]);
    },
  );

  test('inboxes=all lists at most 100 recipients, however many recipients each message has', async () => {
    const book = await start({ localOnly: true });
    const many = Array.from({ length: 60 }, (_, at) => `a${at}@example.com`);
    for (let sent = 0; sent < 3; sent += 1) refuse(book, '127.0.0.1', ...many);
    expect((await get('/api/attempts?inboxes=all')).json().attempts).toHaveLength(100);
  });
});
