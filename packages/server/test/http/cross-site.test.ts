import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesIn } from 'mayfly-cli';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPageFiles } from '../../src/http/routes/inbox-page.js';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { startApi, type TestApi } from './api.js';

const LOOPBACK = parseRange('127.0.0.1') as AddressRange;
const ONCE = { count: 1, windowMs: 10_000 };
const HOST = 'localhost:8080';
const KEY = 'acme-key-of-16-chars';

let api: TestApi;
let folder: string;
let page: Awaited<ReturnType<typeof readPageFiles>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-page-'));
  for (const suffix of ['', '.br', '.gz']) await writeFile(path.join(folder, `index.html${suffix}`), 'page');
  page = await readPageFiles(filesIn(folder));
});

afterAll(() => rm(folder, { recursive: true }));

const start = async (options: Parameters<typeof startApi>[0] = {}) => {
  api = await startApi({
    localOnly: true,
    page,
    fetchRate: ONCE,
    streamRate: ONCE,
    waitlistRate: ONCE,
    wrongKeyRate: ONCE,
    ...options,
  });
};

beforeEach(() => start());
afterEach(() => api.close());

const WAITLIST = { method: 'POST', url: '/api/waitlist', payload: '{"email":"a@app.test"}' } as const;
const JSON_TYPE = { 'content-type': 'application/json' };

const ask = (request: object, headers: Record<string, string>) =>
  api.app.inject({ ...request, headers: { host: HOST, ...headers } });

describe('a service on loopback (D17)', () => {
  test.each([
    ['a write of another site', WAITLIST, { ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }],
    ['a write of another port', WAITLIST, { ...JSON_TYPE, 'sec-fetch-site': 'same-site' }],
    ['a write with a foreign Origin', WAITLIST, { ...JSON_TYPE, origin: 'https://evil.example' }],
    ['a write with the Origin of another port', WAITLIST, { ...JSON_TYPE, origin: 'http://localhost:3000' }],
    ['a write with an Origin that begins like ours', WAITLIST, { ...JSON_TYPE, origin: `http://${HOST}.evil.example` }],
    ['a write of a sandboxed frame', WAITLIST, { ...JSON_TYPE, origin: 'null' }],
    ['a deletion', { method: 'DELETE', url: '/api/inbox/demo' }, { 'sec-fetch-site': 'cross-site' }],
    ['a fetch', { url: '/api/inbox/demo' }, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a fetch with CORS', { url: '/api/inbox/demo' }, { origin: 'https://evil.example' }],
    ['a stream', { url: '/api/inbox/demo/stream' }, { 'sec-fetch-site': 'cross-site' }],
    ['a link to the API', { url: '/api/inbox/demo' }, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a wrong key', { url: '/healthz' }, { 'sec-fetch-site': 'cross-site', authorization: 'Bearer guess' }],
    ['a post to the page', { method: 'POST', url: '/' }, { 'sec-fetch-site': 'cross-site' }],
    ['a path that does not exist', { url: '/nowhere' }, { 'sec-fetch-site': 'cross-site' }],
  ])('rejects %s with 403, and does not count the request against a limit', async (_, request, headers) => {
    for (let n = 0; n < 5; n++) {
      const response = await ask(request, headers);
      expect(response.statusCode).toBe(403);
      expect(response.headers['mayfly-error']).toBe('cross-site');
      expect(response.json().error).toMatch(/^Pages of .* may not use this service\. .* --cors-origin\b.*\.$/);
    }
    expect((await ask({ url: '/api/inbox/demo' }, {})).statusCode).toBe(200);
    expect((await ask(WAITLIST, JSON_TYPE)).statusCode).toBe(200);
  });

  test('does not count requests with a foreign Host against a limit', async () => {
    for (let n = 0; n < 5; n++)
      expect((await ask({ url: '/api/inbox/demo' }, { host: 'a.test' })).statusCode).toBe(400);
    expect((await ask({ url: '/api/inbox/demo' }, {})).statusCode).toBe(200);
  });

  test.each([
    ['a client that is not a browser', {}],
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: `http://${HOST}` }],
    ['our own form, which sends no referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['our own page in an old browser', { origin: `http://${HOST}` }],
    ["a development server's proxy", { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:5173' }],
    ['an address typed into the browser', { 'sec-fetch-site': 'none' }],
  ])('accepts requests from %s', async (_, headers) => {
    expect((await ask({ url: '/api/inbox/demo' }, headers)).statusCode).toBe(200);
    expect((await ask(WAITLIST, { ...JSON_TYPE, ...headers })).statusCode).toBe(200);
  });

  test("serves the preview in a frame if the page's own form requests it", async () => {
    await api.close();
    await start({ workspaces: [{ workspace: 'acme', key: KEY }] });
    await api.mail('acme-box', 'for Acme');
    const url = `/api/inbox/acme-box/${new Date(api.clock.now()).toISOString()}/html`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
      origin: 'null',
    };
    expect((await ask({ method: 'POST', url, payload: `key=${KEY}` }, headers)).body).toContain('for Acme');
  });

  test.each(['/', '/inbox/demo'])('opens the page %s from a link on another site', async (url) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const method of ['GET', 'HEAD']) expect((await ask({ method, url }, headers)).statusCode).toBe(200);
  });

  test.each([
    [['https://page.example'], { origin: 'https://page.example', 'sec-fetch-site': 'cross-site' }, 200],
    [['https://page.example'], { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }, 403],
    [['https://page.example'], { 'sec-fetch-site': 'cross-site' }, 403],
    [['*'], { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }, 200],
    [['*'], { 'sec-fetch-site': 'cross-site' }, 200],
  ] as const)('with --cors-origin %o, the Origin %o gets status %i', async (corsOrigins, headers, status) => {
    await api.close();
    await start({ corsOrigins });
    expect((await ask(WAITLIST, { ...JSON_TYPE, ...headers })).statusCode).toBe(status);
    expect((await ask({ url: '/api/inbox/demo' }, headers)).statusCode).toBe(status);
  });

  test('does not check the Host and Origin of clients behind a trusted proxy', async () => {
    await api.close();
    await start({ trusted: [LOOPBACK] });
    const headers = { host: 'mail.example', origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
    expect((await ask(WAITLIST, { ...JSON_TYPE, ...headers })).statusCode).toBe(200);
  });
});

test('a public service rejects no origin, because CORS hides responses from pages of other origins', async () => {
  await api.close();
  await start({ localOnly: false });
  const response = await ask({ url: '/api/inbox/demo' }, { origin: 'https://a.test', 'sec-fetch-site': 'cross-site' });
  expect(response.statusCode).toBe(200);
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
});
