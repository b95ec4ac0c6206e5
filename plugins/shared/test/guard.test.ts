/** Tests which callers the APIs of Mailpit and MailHog serve. `opening.test.ts` tests the start message and proxies. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { runMayfly } from '../../../packages/server/test/service/process.js';
import {
  type Answer,
  type Asking,
  askFrom,
  basic,
  freshAddress,
  LIST,
  type RunningTool,
  startTool,
  WITH_KEY,
  WORKSPACE,
} from './compat-api.js';

const KEY = basic(WORKSPACE.key);
const OPEN = [200, null];
const KEY_NEEDED = [401, 'key-needed'];

let tool: RunningTool;

afterEach(() => tool?.stop());

/** Sends a request, and resolves to the status and the error code of the response. */
async function ask(asking: Asking = {}) {
  const answer = (await askFrom(tool, asking)).resume();
  return [answer.statusCode, answer.headers['mayfly-error'] ?? null];
}

/** Requests a list of either API, and resolves to the IDs of the messages. */
async function idsOf(path = LIST, headers = {}): Promise<string[]> {
  const answer: Answer = await tool.json(path, { headers });
  return (answer.messages ?? answer.items ?? answer).map(({ ID }: Answer) => ID);
}

/** The paths that find, show and delete a message in each API. */
const APIS = {
  mailpit: {
    find: (to: string) => `/api/v1/search?query=to:${to}`,
    paths: (id: string) => [
      ...['', '/raw', '/headers', '/part/1'].map((part) => `/api/v1/message/${id}${part}`),
      `/view/${id}.txt`,
    ],
    deletion: (id: string) => [LIST, { method: 'DELETE', body: JSON.stringify({ IDs: [id] }) }] as const,
  },
  mailhog: {
    find: (to: string) => `/api/v2/search?kind=to&query=${to}`,
    paths: (id: string) => [`/api/v1/messages/${id}`, `/api/v1/messages/${id}/download`],
    deletion: (id: string) => [`/api/v1/messages/${id}`, { method: 'DELETE' }] as const,
  },
} as const;

describe.each(['mailpit', 'mailhog'] as const)('the API of %s', (name) => {
  test('requires a key from clients on other machines, as a bearer token or as the password of any user', async () => {
    tool = await startTool(name, { host: '0.0.0.0', ...WITH_KEY });
    await tool.send({ to: freshAddress() });
    expect(await ask()).toEqual(KEY_NEEDED);
    expect((await tool.ask(LIST)).headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect(await ask({ method: 'DELETE' })).toEqual(KEY_NEEDED);
    const noPair = { authorization: `Basic ${Buffer.from(WORKSPACE.key).toString('base64')}` };
    for (const headers of [basic('wrong-key-0123456789'), { authorization: 'Basic' }, noPair]) {
      expect(await ask({ headers })).toEqual([401, 'unknown-key']);
    }
    // Our own API does not accept Basic authentication.
    expect(await ask({ path: '/api/inbox/acme-team', headers: KEY })).toEqual([401, 'owned-name']);
    for (const headers of [KEY, basic(WORKSPACE.key, ''), { authorization: `Bearer ${WORKSPACE.key}` }]) {
      expect(await idsOf(LIST, headers)).toHaveLength(1);
    }
  });

  test('lists, finds, shows and deletes mail of a workspace only with its key', async () => {
    tool = await startTool(name, WITH_KEY);
    const { find, paths, deletion } = APIS[name];
    await tool.send({ to: 'acme-team@app.test' });
    const [id = ''] = await idsOf(LIST, KEY);
    const [path, init] = deletion(id);
    expect([await idsOf(), await idsOf(find('acme-team@app.test'))]).toEqual([[], []]);
    for (const shown of paths(id)) {
      // MailHog's API returns null for a missing message.
      const refused = await (await tool.ask(shown)).text();
      expect([shown, refused]).toEqual([shown, expect.stringMatching(/^null$|There is no such message/)]);
      expect([shown, ...(await ask({ path: shown, headers: KEY }))]).toEqual([shown, ...OPEN]);
    }
    await tool.ask(path, init);
    await tool.ask(LIST, { method: 'DELETE' });
    expect(await idsOf(find('acme-team@app.test'), KEY)).toEqual([id]);
    await tool.ask(path, { ...init, headers: KEY });
    expect(await idsOf(LIST, KEY)).toEqual([]);
  });

  test('counts the requests of a client separately for each workspace, and apart from fetches', async () => {
    tool = await startTool(name, { compatApiLimit: '2/1h', fetchLimit: '1/1h', ...WITH_KEY });
    for (let i = 0; i < 2; i++) expect(await ask()).toEqual(OPEN);
    expect(await ask()).toEqual([429, 'too-many-requests']);
    expect(await ask({ headers: KEY })).toEqual(OPEN);
    expect(await ask({ path: '/api/inbox/demo' })).toEqual(OPEN);
  });

  test('rejects a deletion with an encoded body, and deletes nothing', async () => {
    tool = await startTool(name);
    await tool.send({ to: freshAddress() });
    const [id = ''] = await idsOf();
    for (const coding of ['gzip', 'identity, gzip', 'x-unknown']) {
      for (const [path, init] of [[LIST, { method: 'DELETE', body: '{}' }] as const, APIS[name].deletion(id)]) {
        const answer = await tool.ask(path, { ...init, headers: { 'content-encoding': coding } });
        expect([answer.status, answer.headers.get('mayfly-error')]).toEqual([415, 'unsupported-content-encoding']);
        expect(answer.headers.get('accept-encoding')).toBe('identity');
      }
    }
    expect(await idsOf()).toEqual([id]);
  });
});

describe('the host and the origin of a request to these APIs', () => {
  /** Sends a request over a new connection. Resolves to the error code of the response, or null. */
  async function talk(...lines: readonly [string, ...string[]]): Promise<string | null> {
    const [target, ...headers] = lines;
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(tool.url).port) });
    socket.write([`${target} HTTP/1.1`, ...headers, 'connection: close', '\r\n'].join('\r\n'));
    return /^mayfly-error: (.*)\r$/m.exec(await text(socket))?.[1] ?? null;
  }

  test('are taken from an absolute request target, not the Host header (RFC 9112 section 3.2.2)', async () => {
    tool = await startTool('mailpit');
    await tool.send({ to: freshAddress() });
    const { host } = new URL(tool.url);
    const evil = 'http://evil.example';
    for (const target of [evil, `${evil}:80`, 'http://localhost@evil.example', 'http://localhost:80@evil.example']) {
      expect([target, await talk(`DELETE ${target}${LIST}`, 'host: localhost')]).toEqual([target, 'foreign-host']);
    }
    expect(await talk(`GET http://localhost${LIST}`, 'host: evil.example', `origin: ${evil}`)).toBe('cross-site');
    expect(await idsOf()).toHaveLength(1);
    expect(await talk(`DELETE http://${host}${LIST}`, 'host: evil.example', `origin: http://${host}`)).toBe(null);
    expect(await idsOf()).toHaveLength(0);
  });

  test('exclude pages of other sites that are not in --cors-origin, even if an allowed caller opens them', async () => {
    const options = { host: '0.0.0.0', compatApiCallers: '127.0.0.0/8', corsOrigin: 'https://app.example' };
    tool = await startTool('mailpit', options);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      for (const [name, value] of [
        ['sec-fetch-site', 'cross-site'],
        ['sec-fetch-site', 'same-site'],
        ['origin', 'https://evil.example'],
        ['origin', 'null'],
      ] as const) {
        expect([name, value, ...(await ask({ method, headers: { [name]: value } }))]).toEqual([
          ...[name, value],
          ...[403, 'cross-site'],
        ]);
      }
    }
    expect(await ask({ headers: { origin: 'https://app.example' } })).toEqual(OPEN);
  });

  test('admit container names, but no public host names, because these may resolve to this network', async () => {
    tool = await startTool('mailpit', { host: '0.0.0.0', compatApiCallers: '127.0.0.0/8' });
    for (const host of ['evil.example.com', 'EVIL.example.com.:8025', '10.0.0.1.evil.io', 'xn--mnchen-3ya.de']) {
      expect([host, ...(await ask({ host }))]).toEqual([host, 400, 'public-host']);
    }
    expect(await ask({ path: `http://evil.example.com${LIST}` })).toEqual([400, 'public-host']);
    // These are not valid hosts (RFC 3986 section 3.2.2).
    for (const host of ['evil.co%6d', 'evil.com@localhost', 'evil.com/x:80', 'evil.c\u00f6m', '[::1%25evil.com]']) {
      expect([host, ...(await ask({ host }))]).toEqual([host, 400, 'no-host']);
    }
    for (const host of ['mailpit:8025', 'mail_pit', '172.17.0.2:8025', '[::1]:8025', 'mailpit.default.svc']) {
      expect([host, ...(await ask({ host }))]).toEqual([host, ...OPEN]);
    }
  });
});

test('an unauthorized request is rejected before its body has arrived', async () => {
  tool = await startTool('mailpit', { host: '0.0.0.0', ...WITH_KEY });
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(tool.url).port) });
  socket.write(`DELETE ${LIST} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n`);
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});

test('an untrusted proxy needs a key, even if --compat-api-callers includes its address', async () => {
  for (const options of [{}, { host: '0.0.0.0', compatApiCallers: '127.0.0.0/8' }]) {
    tool = await startTool('mailpit', { ...options, ...WITH_KEY });
    for (const header of [
      ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'],
    ]) {
      expect([header, ...(await ask({ headers: { [header]: '127.0.0.2' } }))]).toEqual([header, ...KEY_NEEDED]);
      expect(await ask({ headers: { [header]: '127.0.0.2', ...KEY } })).toEqual(OPEN);
    }
    await tool.stop();
  }
});

test('the last address in X-Forwarded-For from a trusted proxy counts as the client', async () => {
  const options = { compatApiCallers: ['10.0.0.0/8', '127.0.0.0/8'], trustProxy: '127.0.0.2' };
  tool = await startTool('mailpit', { host: '0.0.0.0', ...options });
  for (const [forwardedFor, answer] of [
    ['10.1.2.3', OPEN],
    ['::ffff:10.1.2.3', OPEN],
    ['192.0.2.7', KEY_NEEDED],
    // Only the last entry counts, because the proxy's client may have forged the others.
    ['10.1.2.3, 192.0.2.7', KEY_NEEDED],
    ['192.0.2.7, 10.1.2.3', OPEN],
    // These name no client except the proxy, whose address is allowed. But anyone may send requests through a proxy.
    ['unknown', KEY_NEEDED],
    ['', KEY_NEEDED],
    ['127.0.0.2', KEY_NEEDED],
  ] as const) {
    const asked = await ask({ from: '127.0.0.2', headers: { 'x-forwarded-for': forwardedFor } });
    expect([forwardedFor, ...asked]).toEqual([forwardedFor, ...answer]);
  }
  const named = { host: 'mail.example.com', headers: { 'x-forwarded-for': '10.1.2.3' } };
  expect(await ask({ from: '127.0.0.2', ...named })).toEqual(OPEN);
});

test('--compat-api-callers matches IPv4, IPv6 and IPv4-mapped IPv6 addresses', async () => {
  tool = await startTool('mailpit', { host: '::', compatApiCallers: ['127.0.0.2', '::1'] });
  expect(await ask({ from: '127.0.0.2' })).toEqual(OPEN);
  expect(await ask({ from: '127.0.0.3' })).toEqual(KEY_NEEDED);
  expect(await ask({ from: '::1' })).toEqual(OPEN);
  await tool.stop();
  tool = await startTool('mailpit', { host: '::', compatApiCallers: '::ffff:127.0.0.0/127' });
  expect(await ask({ from: '127.0.0.1' })).toEqual(OPEN);
  expect(await ask({ from: '127.0.0.2' })).toEqual(KEY_NEEDED);
});

test('a search with the parameter wait counts as an open stream until its client disconnects', async () => {
  tool = await startTool('mailpit', { streamsPerClient: 1 });
  const waiting = new AbortController();
  const search = '/api/v1/search?query=subject:never&wait=';
  const first = tool.ask(`${search}30s`, { signal: waiting.signal }).catch(() => null);
  await expect.poll(() => ask({ path: `${search}1ms` })).toEqual([429, 'too-many-streams']);
  waiting.abort();
  await first;
  await expect.poll(() => ask({ path: `${search}1ms` })).toEqual(OPEN);
});

test.each([
  [['--compat-api', 'outlook'], /mailpit/],
  [['--compat-api', 'mailhog', '--host', '0.0.0.0'], /--compat-api .* --workspace NAME=KEY/],
  [['--compat-api-callers', '10.0.0.0/8,::1'], /--compat-api-callers .* --compat-api/],
])('a service does not start with %j', async (args, sentence) => {
  const { exitCode, stderr } = await runMayfly(['serve', '--store', 'memory:', ...args]);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(sentence)]);
});
