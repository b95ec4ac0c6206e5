/** Checks the advice in error messages by following it. */
import { afterEach, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { startApi, type TestApi, type TestApiOptions } from './api.js';

const LOOPBACK = parseRange('127.0.0.1') as AddressRange;

const HERE = { host: 'localhost:8080' };

let api: TestApi;

afterEach(() => api.close());

const ask = async (options: TestApiOptions, request: { readonly url: string; readonly headers?: object }) => {
  api = await startApi({ localOnly: true, ...options });
  const answer = await api.app.inject({ ...request, headers: { ...HERE, ...request.headers } });
  return { status: answer.statusCode, code: answer.headers['mayfly-error'], error: answer.json().error };
};

test.each([
  ['/mcp', '--mcp.'],
  ['/metrics', '--metrics PORT, and only on that port.'],
  ['/api/v1/messages', '--compat-api mailpit or --compat-api mailhog.'],
  ['/api/v2/search?kind=to&query=x', '--compat-api mailhog.'],
  ['/emails/0198', '--send-apis resend.'],
  ['/email', '--send-apis postmark.'],
  ['/v3/mail/send', '--send-apis sendgrid.'],
  ['/v3/app.example/messages', '--send-apis mailgun.'],
  ['/v2/email/outbound-emails', '--send-apis ses.'],
])('the 404 of %s names the option that enables this path', async (url, option) => {
  const { status, code, error } = await ask({}, { url });
  expect([status, code]).toEqual([404, 'not-found']);
  expect(error).toMatch(/^There is nothing at this path\. The (?:send )?\w+ of .* is served only if /);
  expect(error.endsWith(`the service is started with ${option}`)).toBe(true);
});

test.each([
  ['https://app.example.com', 'Pages of https://app.example.com may not use'],
  ['http://localhost:5173', 'Pages of http://localhost:5173 may not use'],
])('a page of %s is rejected with the value of --cors-origin that would allow this page', async (origin, text) => {
  const request = { url: '/api/inbox/demo', headers: { origin } };
  const { status, error } = await ask({}, request);
  expect(status).toBe(403);
  expect(error).toContain(text);
  const [, value = ''] = /--cors-origin (\S+)\.$/.exec(error) ?? [];
  await api.close();
  expect((await ask({ corsOrigins: [value] }, request)).status).toBe(200);
});

test.each(['null', '*', 'https://a.example/path', `https://${'a'.repeat(300)}.example`])(
  'a rejection does not quote the Origin %s, because --cors-origin would not accept that value',
  async (origin) => {
    const { status, error } = await ask({}, { url: '/api/inbox/demo', headers: { origin } });
    expect(status).toBe(403);
    expect(error).not.toContain(origin);
  },
);

test('a foreign Host is rejected with the value of --trust-proxy that would allow this Host', async () => {
  const request = { url: '/api/inbox/demo', headers: { host: 'a-8080.app.github.dev' } };
  const { status, error } = await ask({}, request);
  expect(status).toBe(400);
  expect(error).toMatch(/proxy or tunnel .* start the service with --trust-proxy 127\.0\.0\.1\.$/);
  await api.close();
  expect((await ask({ trusted: [LOOPBACK] }, request)).status).toBe(200);
});

test("a key that contains its workspace's name is rejected with the advice to leave the name out", async () => {
  const workspaces = [{ workspace: 'acme', key: 'acme-key-of-16-chars' }];
  const request = (key: string) => ({ url: '/api/inbox/acme-a', headers: { authorization: `Bearer ${key}` } });
  const { status, code, error } = await ask({ workspaces }, request('acme=acme-key-of-16-chars'));
  expect([status, code]).toEqual([401, 'unknown-key']);
  expect(error).toContain('send only the part after the "="');
  expect(error).not.toContain('acme-key');
  await api.close();
  expect((await ask({ workspaces }, request('acme-key-of-16-chars='))).error).toBe(
    'The API key is unknown. Check the key.',
  );
});

test.each([
  ['/api/inbox/demo?limit=5', 'limit'],
  ['/api/inbox/demo?before=2026-01-31T09:30:00.000Z', 'before'],
  ['/api/inbox/demo/stream?limit=1', 'limit'],
  ['/api/inbox/demo/attempts?limit=5', 'limit'],
  ['/api/attempts?subject=x', 'subject'],
  ['/api/emails?before=2026-01-31T09:30:00.000Z', 'before'],
])('%s is rejected, because only other paths accept this query parameter', async (url, name) => {
  const { status, code, error } = await ask({}, { url });
  expect([status, code]).toEqual([400, 'bad-query']);
  expect(error).toContain(`"${name}"`);
});

const INITIALIZE = {
  method: 'POST',
  url: '/mcp',
  payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
} as const;

const AGENT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

test.each<[string, TestApiOptions, Record<string, string>, number]>([
  ['no page, on a public host', {}, { host: 'mayfly.example.com' }, 200],
  ['a page of another site', {}, { host: 'mayfly.example.com', origin: 'https://evil.example' }, 403],
  ['a page whose name points here', {}, { host: 'evil.example:8080', origin: 'http://evil.example:8080' }, 403],
  ['the same behind a trusted proxy', { trusted: [LOOPBACK] }, { host: 'a.example', origin: 'https://a.example' }, 200],
  ['a page of an allowed origin', { corsOrigins: ['https://app.example'] }, { origin: 'https://app.example' }, 200],
  ['a page of the same address', {}, { host: '192.0.2.1:8080', origin: 'http://192.0.2.1:8080' }, 200],
])('/mcp checks the Host and Origin of each request: %s', async (_, options, headers, status) => {
  api = await startApi({ localOnly: false, mcp: true, ...options });
  const answer = await api.app.inject({ ...INITIALIZE, headers: { ...HERE, ...AGENT, ...headers } });
  expect(answer.statusCode).toBe(status);
  if (status === 403) expect(answer.json().error).toContain(`--cors-origin ${headers.origin}`);
});
