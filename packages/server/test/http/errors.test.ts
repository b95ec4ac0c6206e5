import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from './api.js';

let api: TestApi;

beforeEach(async () => {
  api = await startApi({ waitlistRate: { count: 10, windowMs: 60_000 } });
});

afterEach(() => api.close());

const JSON_TYPE = { 'content-type': 'application/json' };

describe('every error is JSON with a sentence (D11)', () => {
  test.each([
    ['GET', '/', 404, undefined],
    ['GET', '/api', 404, undefined],
    ['GET', '/api/inbox/a/b/c', 404, undefined],
    ['GET', '/api/waitlist', 405, 'POST'],
    ['DELETE', '/api/inbox/demo/stream', 405, 'GET'],
    ['POST', '/api/inbox/demo', 405, 'DELETE, GET, HEAD'],
    ['PUT', '/api/inbox/demo/stream', 405, 'GET'],
    ['HEAD', '/api/inbox/demo/stream', 405, 'GET'],
    ['OPTIONS', '/api/inbox/demo', 405, 'DELETE, GET, HEAD'],
    ['PATCH', '/healthz', 405, 'GET, HEAD'],
    ['POST', '/openapi.json', 405, 'GET, HEAD'],
  ] as const)('%s %s gets %i', async (method, url, status, allow) => {
    const response = await api.app.inject({ method, url });
    expect(response.statusCode).toBe(status);
    expect(response.headers.allow).toBe(allow);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'mayfly-error': status === 404 ? 'not-found' : 'method-not-allowed',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    if (method === 'HEAD') return;
    expect(Object.keys(response.json())).toEqual(['error']);
    expect(response.json().error).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    ['/api/inbox/DEMO', 200],
    ['/api/inbox/%44emo', 200],
    ['/api/inbox/de%6Do?x=1', 200],
    ['/api/inbox/a%2Bb', 200],
    ['/api/inbox/a+b', 200],
    ['/api/inbox/a%20b', 400],
    ['/api/inbox/a%2Fb', 400],
    ['/api/inbox/a%00b', 400],
    ['/api/inbox/%E2%84%AA', 400],
    ['/api/inbox/', 400],
    [`/api/inbox/${'a'.repeat(65)}`, 400],
    [`/api/inbox/${'a'.repeat(10_000)}`, 400],
    [`/api/inbox/${'a.'.repeat(5_000)}`, 400],
    ['/api/inbox/demo/', 404],
    ['//api/inbox/demo', 404],
  ])('%s gets %i', async (url, status) => {
    const response = await api.app.inject(url);
    expect(response.statusCode).toBe(status);
    const code = { 400: 'bad-inbox-name', 404: 'not-found' }[status];
    expect(response.headers['mayfly-error']).toBe(code);
  });

  test('a request that causes an internal error gets 500, and the body hides the cause', async () => {
    api.store.list = async () => {
      throw new Error('secret detail');
    };
    const response = await api.app.inject('/api/inbox/demo');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ error: 'Something went wrong inside Mayfly. See its log for the cause.' });
    expect(response.headers).toMatchObject({ 'mayfly-error': 'internal', 'cache-control': 'no-store' });
  });
});

describe('POST /api/waitlist (interface section 4.3)', () => {
  const post = (payload: string, headers: Record<string, string> = JSON_TYPE) =>
    api.app.inject({ method: 'POST', url: '/api/waitlist', payload, headers });

  async function waitlist(): Promise<string[]> {
    const emails: string[] = [];
    for await (const { email } of api.store.waitlist()) emails.push(email);
    return emails;
  }

  test('adds an address only once, and responds to a repeated address as to a new one', async () => {
    for (const email of ['Ada@App.test', 'ada@app.test', 'bob@app.test']) {
      const response = await post(JSON.stringify({ email }));
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe('{"success":true}');
    }
    expect(await waitlist()).toEqual(['ada@app.test', 'bob@app.test']);
  });

  test.each([
    ['not an object', '"a@app.test"', 400],
    ['no email', '{}', 400],
    ['a text that is not an address', '{"email":"nobody"}', 400],
    ['an email of spaces', '{"email":"a b@app.test"}', 400],
    ['a number', '{"email":5}', 400],
    ['null', '{"email":null}', 400],
    ['a list', '{"email":["a@app.test"]}', 400],
    ['an address that is too long', JSON.stringify({ email: `${'a'.repeat(250)}@app.test` }), 400],
    ['incomplete JSON', '{"email":', 400],
    ['nothing', '', 400],
    ['a hostile prototype', '{"__proto__":{"x":1},"email":"a@app.test"}', 400],
    ['too many bytes', JSON.stringify({ email: 'a@app.test', more: 'x'.repeat(16 * 1024) }), 413],
  ])('rejects %s', async (_, payload, status) => {
    const response = await post(payload);
    expect(response.statusCode).toBe(status);
    expect(response.json().error).toMatch(/^The request body .*\.$/);
    expect(await waitlist()).toEqual([]);
  });

  test.each([{}, { 'content-type': 'text/plain' }, { 'content-type': 'application/x-www-form-urlencoded' }])(
    'responds with 415 to headers %o',
    async (headers) => {
      const response = await post('{"email":"a@app.test"}', headers as Record<string, string>);
      expect(response.statusCode).toBe(415);
      expect(response.json().error).toContain('application/json');
    },
  );
});

describe('requests that need a raw connection', () => {
  async function talk(bytes: string): Promise<string> {
    if (!api.app.server.listening) await api.app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  }

  test('a HEAD request, except for a stream, gets the headers of the response to GET, and no body', async () => {
    await api.mail('demo');
    const { emails } = (await api.app.inject('/api/inbox/demo')).json();
    const path = `/api/inbox/demo/${emails[0].receivedAt}`;
    const urls = ['/api/inbox/demo', `${path}/raw`, `${path}/html`, `${path}/explain`, '/api/settings', '/healthz'];
    for (const url of [...urls, '/readyz', '/openapi.json']) {
      const get = await api.app.inject(url);
      const head = await talk(`HEAD ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n$/s);
      for (const name of ['content-type', 'content-length'])
        expect(head).toContain(`${name}: ${get.headers[name]}\r\n`);
    }
  });

  test.each([
    ['GET http://localhost/openapi.json', 200, ''],
    ['POST http://localhost/openapi.json?a=b', 405, 'allow: GET, HEAD'],
    ['GET http://localhost/other', 404, ''],
    ['GET ftp://localhost/openapi.json', 404, ''],
  ])('%s with an absolute target (RFC 9112 section 3.2.2) is answered with %i', async (line, status, header) => {
    const answer = await talk(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(header);
  });
});

describe('other origins and foreign hosts (D17)', () => {
  test.each([
    [['https://page.example'], 'https://page.example', 'https://page.example'],
    [['https://page.example'], 'https://other.example', undefined],
    [['*'], 'https://other.example', '*'],
  ])('with --cors-origin %o, a page of %s may read the response: %s', async (corsOrigins, origin, allowed) => {
    await api.close();
    api = await startApi({ corsOrigins, fetchRate: { count: 1, windowMs: 10_000 } });
    for (const status of [200, 429]) {
      const response = await api.app.inject({ url: '/api/inbox/demo', headers: { origin } });
      expect(response.statusCode).toBe(status);
      expect(response.headers['access-control-allow-origin']).toBe(allowed);
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
      if (allowed) expect(response.headers['access-control-expose-headers']).toMatch(/Retry-After, Mayfly-Error/i);
    }
  });

  test('a preflight request from an origin in --cors-origin gets 204', async () => {
    await api.close();
    api = await startApi({ corsOrigins: ['https://page.example'] });
    const headers = { origin: 'https://page.example', 'access-control-request-method': 'POST' };
    const response = await api.app.inject({ method: 'OPTIONS', url: '/api/waitlist', headers });
    expect(response.statusCode).toBe(204);
    expect(response.headers['access-control-allow-methods']).toContain('POST');
    const allowed = response.headers['access-control-allow-headers'];
    for (const name of ['Authorization', 'Content-Type', 'MCP-Protocol-Version']) expect(allowed).toContain(name);
  });

  test.each([
    ['/api/waitlist', {}, 405, 'method-not-allowed'],
    ['/api/waitlist', { origin: 'https://page.example' }, 405, 'method-not-allowed'],
    ['/api/waitlist', { 'access-control-request-method': 'POST' }, 405, 'method-not-allowed'],
    ['/nowhere', {}, 404, 'not-found'],
  ])('OPTIONS %s from a page that is not listed (%o) gets %i', async (url, headers, status, code) => {
    await api.close();
    api = await startApi({ corsOrigins: ['https://page.example'] });
    const response = await api.app.inject({ method: 'OPTIONS', url, headers: headers as Record<string, string> });
    expect(response.statusCode).toBe(status);
    expect(response.headers['mayfly-error']).toBe(code);
    expect(response.json().error).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    ['localhost:8080', 200],
    ['LOCALHOST', 200],
    ['mail.localhost', 200],
    ['127.0.0.1:8080', 200],
    ['[::1]:8080', 200],
    ['evil.example', 400],
    ['evil.example:8080', 400],
    ['127.0.0.1.evil.example', 400],
    ['evil.example#.localhost', 400],
    ['evil.example/.localhost:80', 400],
    ['me@mail.localhost', 400],
    ['[localhost]', 400],
    ['localhost.evil.example', 400],
  ])('on loopback, the Host %j gets %i', async (host, status) => {
    await api.close();
    api = await startApi({ localOnly: true });
    expect((await api.app.inject({ url: '/api/inbox/demo', headers: { host } })).statusCode).toBe(status);
  });
});
