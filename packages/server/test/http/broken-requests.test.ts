import { once } from 'node:events';
import { METHODS } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { LIMITS, startApi, type TestApi } from './api.js';

const LOOPBACK = parseRange('127.0.0.1') as AddressRange;

/** Limits with short timeouts, which Node checks once a second. */
const QUICK = { ...LIMITS, headerTimeoutMs: 100, requestTimeoutMs: 200 };

const WARN = 40;
const DEBUG = 20;

let api: TestApi;
let lines: { readonly level: number; readonly msg: string }[];

beforeEach(async () => {
  lines = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  api = await startApi({ log, limits: QUICK, corsOrigins: [] });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  await api.close();
  expect(lines.filter(({ level }) => level >= WARN)).toEqual([]);
});

function open(): Socket {
  return connect((api.app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
}

/** Sends bytes and returns everything received until the connection closes. */
async function talk(bytes: string): Promise<string> {
  const socket = open();
  socket.write(bytes);
  return text(socket);
}

/** Checks that a response is a single complete error, and returns its head. */
function expectError(answer: string, status: number, code: string): string {
  const [head = '', body = '', ...more] = answer.split('\r\n\r\n');
  expect(more).toEqual([]);
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const headers = head.toLowerCase().split('\r\n');
  expect(headers).toEqual(
    expect.arrayContaining([
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      `mayfly-error: ${code}`,
    ]),
  );
  const { error, ...others } = JSON.parse(body);
  expect(error).toMatch(/^[A-Z].*\.$/);
  expect(others).toEqual({});
  return head;
}

const head = (line: string, ...fields: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...fields, '', ''].join('\r\n');

const CHUNKED = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];

describe('malformed requests get the usual JSON errors (D11)', () => {
  test.each([
    ['a line that is not HTTP', 'EHLO me\r\n\r\n', 400, 'bad-request'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n', 400, 'bad-request'],
    ['two lengths', head('POST /api/waitlist', 'Content-Length: 1', 'Content-Length: 2'), 400, 'bad-request'],
    ['a length and chunks', head('POST /api/waitlist', 'Content-Length: 1', ...CHUNKED), 400, 'bad-request'],
    ['too many header bytes', head('GET /', `X: ${'x'.repeat(100_000)}`), 431, 'headers-too-large'],
    ['too many header lines', head('GET /api/inbox/demo/stream', ...Array(300).fill('a:')), 431, 'headers-too-large'],
    ['an odd method', head('BREW /pot'), 501, 'unknown-method'],
    ['a tunnel', head('CONNECT mail.test:25'), 501, 'unknown-method'],
    ['an invalid chunk', `${head('POST /api/waitlist', ...CHUNKED)}zz\r\n{}\r\n0\r\n\r\n`, 400, 'bad-request'],
    [
      'a body longer than its length',
      `${head('POST /api/waitlist', 'Content-Type: application/json', 'Content-Length: 5')}{"email":"a@b.test"}`,
      400,
      // With llhttp 8 (Node before 20.19.2), the five bytes are rejected as invalid JSON before the rest is seen.
      process.versions.llhttp?.startsWith('8.') ? 'bad-json' : 'trailing-bytes',
    ],
    ['no Host header in HTTP/1.1', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'no-host'],
    ['an invalid Host header', 'GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'no-host'],
    [
      'a body in another transfer coding',
      `${head('POST /api/waitlist', 'Content-Type: application/json', 'Transfer-Encoding: gzip, chunked')}2\r\n{}\r\n0\r\n\r\n`,
      501,
      'unknown-transfer-coding',
    ],
    ['two hosts', head('GET /healthz', 'hOST: localhost'), 400, 'several-hosts'],
    ['a broken path', head('GET /api/inbox/%zz'), 400, 'bad-url'],
    ['headers that take too long', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n', 408, 'request-timeout'],
    ['a body that takes too long', `${head('POST /api/waitlist', ...CHUNKED)}2\r\n`, 408, 'request-timeout'],
    [
      'a Content-Length that is too large',
      head('POST /api/waitlist', 'Content-Type: application/json', 'Content-Length: 99999'),
      413,
      'body-too-large',
    ],
    [
      'a body of an unsupported type',
      `${head('POST /api/waitlist', 'Content-Type: text/plain', 'Content-Length: 2')}{}`,
      415,
      'unsupported-media-type',
    ],
  ])('a request with %s gets a JSON error', async (_, bytes, status, code) => {
    expectError(await talk(bytes), status, code);
  });

  test('an HTTP/1.1 request without a Host header gets 400, even behind a trusted proxy', async () => {
    await api.close();
    api = await startApi({ trusted: [LOOPBACK], limits: QUICK });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    expectError(await talk('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'no-host');
    expect(await talk('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('the connection is closed after a chunked request in HTTP/1.0 (RFC 9112 section 6.1)', async () => {
    const fields = ['Host: localhost', 'Connection: keep-alive', ...CHUNKED, '', ''].join('\r\n');
    const answer = await talk(`POST /api/waitlist HTTP/1.0\r\n${fields}19\r\n{"email":"a@example.com"}\r\n0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });
});

describe('pipelined requests', () => {
  const fetches = (count: number) => 'GET /api/inbox/demo HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count);

  test.each([1, 16, 1_000])(
    'if %i requests follow the first without a pause, only the first gets a response, and the connection is closed',
    async (more) => {
      const answers = await talk(fetches(1 + more)).catch(() => '');
      // A client that pipelines too many requests is disconnected, and may lose the response.
      expect(answers.match(/HTTP\/1\.1 200 /g) ?? []).toHaveLength(more > 16 ? Number(answers !== '') : 1);
    },
  );
});

const LAST = 'GET /api/inbox/demo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

test.each([LAST, LAST.replace('GET', 'DELETE').repeat(3)])(
  'a request with "Connection: close" is answered, and later requests on the same connection are ignored',
  async (behind) => {
    await api.mail('demo', 'It stays');
    expect((await talk(`${LAST}${behind}`)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(await talk(LAST)).toContain('It stays');
  },
);

test('a request body without Content-Length is rejected even after the header "Connection: close"', async () => {
  expectError(await talk(`${LAST}{"IDs":["x"]}`), 400, 'unframed-body');
});

test('the log contains the route of a request, but no inbox name', async () => {
  expect(await talk(head('GET /api/inbox/my-secret-name'))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await talk(head('GET /api/inbox/my-secret-name/nowhere'))).toMatch(/^HTTP\/1\.1 404 /);
  await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ route: '/api/inbox/:name' })));
  expect(JSON.stringify(lines)).not.toContain('my-secret-name');
});

describe('a client cannot cause an error in the log', () => {
  test('an interrupted body is logged at debug level', async () => {
    const socket = open();
    socket.write(head('POST /api/waitlist', 'Content-Type: application/json', 'Content-Length: 100'));
    await once(api.app.server, 'request');
    socket.destroy();
    await vi.waitFor(() =>
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'A request was refused.', level: DEBUG })),
    );
  });
});

describe('every method on every path', () => {
  const PATHS = ['/', '/nowhere', '/healthz', '/api/inbox/demo', '/api/inbox/demo/stream', '/api/waitlist'];

  test.each(METHODS.filter((method) => method !== 'CONNECT'))(
    '%s gets 200, 204, 404 or 405, and gets 400 only for an invalid body',
    async (method) => {
      for (const path of PATHS) {
        if (path.endsWith('/stream') && method === 'GET') continue;
        const answer = await talk(head(`${method} ${path}`));
        const status = Number(answer.split(' ', 2)[1]);
        const isPost = path === '/api/waitlist' && method === 'POST';
        expect(isPost ? [400] : [200, 204, 404, 405]).toContain(status);
        if (status >= 400 && method !== 'HEAD') {
          const code = { 404: 'not-found', 405: 'method-not-allowed' }[status] ?? 'bad-waitlist-email';
          const fields = expectError(answer, status, code);
          expect(/^allow: /im.test(fields)).toBe(status === 405);
        }
      }
    },
  );

  test('a body that no route reads is ignored', async () => {
    for (const type of ['text/plain', ';', 'application/json']) {
      const request = `${head('POST /nowhere', `Content-Type: ${type}`, 'Content-Length: 2')}{}`;
      expectError(await talk(request), 404, 'not-found');
    }
  });
});

test('a request that arrives while the service stops gets 503', async () => {
  const connected = once(api.app.server, 'connection') as Promise<[Socket]>;
  const socket = open();
  socket.write('GET /healthz HTTP/1.1\r\n');
  const [ofServer] = await connected;
  await vi.waitFor(() => expect(ofServer.bytesRead).toBeGreaterThan(0));
  const closed = api.app.close();
  socket.write('Host: localhost\r\n\r\n');
  expectError(await text(socket), 503, 'stopping');
  await closed;
});
