import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { endAll, serve } from '../../server/test/service/process.js';
import { HOSTS } from './hosts.js';

const KEY = 'acme=s3cret-of-16-chars';
const WRONG = 'acme=another-of-16-chars';

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const mayfly = await serve(['--store', 'memory:', '--mcp', '--workspace', KEY]);

afterAll(endAll);

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with headers that `fetch` would not allow. */
async function ask(body: unknown, headers: Record<string, string> = {}, method = 'POST', at = mayfly): Promise<Answer> {
  const asking = request(`${at.url}/mcp`, { method, headers: { ...HEADERS, ...headers } });
  asking.end(typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = await once(asking, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** Parses the JSON-RPC message in the response's server-sent event. */
function messageOf({ text }: Answer): { result: Record<string, unknown> } {
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? '');
}

const call = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('the path /mcp', () => {
  test('responds to tools/list without a session', async () => {
    const answer = await ask(LIST);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(messageOf(answer).result.tools).toHaveLength(4);
  });

  test.each([
    ['a Host that is not this machine', LIST, { host: 'evil.test' }, 'POST', 400, 'foreign-host'],
    ['a page of another site', LIST, { origin: 'http://evil.test' }, 'POST', 403, 'cross-site'],
    ['several messages', [LIST, LIST], {}, 'POST', 400, 'agent-batch'],
    ['another type', LIST, { 'content-type': 'text/plain' }, 'POST', 415, 'unsupported-media-type'],
    ['a body that is too large', 'x'.repeat(17_000), {}, 'POST', 413, 'body-too-large'],
    ['GET', '', {}, 'GET', 405, 'method-not-allowed'],
    ['a wrong key', LIST, { authorization: 'Bearer wrong-of-16-chars' }, 'POST', 401, 'unknown-key'],
  ])('rejects %s as every other path does', async (_what, body, headers, method, status, code) => {
    const answer = await ask(body, headers as Record<string, string>, method);
    expect(answer).toMatchObject({ status, headers: { 'mayfly-error': code } });
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['error']);
    if (status === 405) expect(answer.headers.allow).toBe('POST');
  });

  test('does not exist unless it is enabled', async () => {
    const other = await serve(['--store', 'memory:']);
    expect(await ask(LIST, {}, 'POST', other)).toMatchObject({ status: 404, headers: { 'mayfly-error': 'not-found' } });
    await other.end('SIGTERM');
  });

  test('counts each MCP message as a read, and each call of wait_for_email also as a new stream', async () => {
    const other = await serve(['--store', 'memory:', '--mcp', '--read-limit', '5/10m', '--stream-limit', '1/10m']);
    const statuses = [];
    const wait = call('wait_for_email', { inbox: 'a', timeout_seconds: 1 });
    expect(messageOf(await ask(wait, {}, 'POST', other)).result).not.toHaveProperty('isError');
    expect(messageOf(await ask(wait, {}, 'POST', other)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('The limit is 1 in ') }],
    });
    for (let n = 0; n < 4; n++) statuses.push((await ask(LIST, {}, 'POST', other)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    await other.end('SIGTERM');
  });

  test('limits guesses of inbox names like every other path', async () => {
    const other = await serve(['--store', 'memory:', '--mcp', '--name-limit', '10/10d']);
    const texts = [];
    for (let n = 0; n < 11; n++) {
      const { result } = messageOf(await ask(call('check_inbox', { inbox: `guess-${n}` }), {}, 'POST', other));
      texts.push((result.content as [{ text: string }])[0].text);
    }
    expect(texts.slice(0, 10)).toEqual(Array(10).fill('{"emails":[],"next_after":null}'));
    expect(texts[10]).toMatch(/^Your address has looked up too many inboxes/);
    await other.end('SIGTERM');
  });

  test('counts a pending call as an open stream until it is cancelled, and ends it when the server stops', async () => {
    const other = await serve(['--store', 'memory:', '--mcp', '--streams-per-client', '1']);
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const begun = await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello }, {}, 'POST', other);
    const session = { 'mcp-session-id': begun.headers['mcp-session-id'] as string };
    expect(session['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
    const wait = (id: number) => ask(call('wait_for_email', { inbox: 'a' }, id), session, 'POST', other);
    const isFull = async () => (await ask(LIST, {}, 'POST', other)).status === 429;
    const waiting = wait(7);
    // Waits until the call is pending, because a cancellation that arrives before the call has no effect.
    await expect.poll(isFull).toBe(true);
    const cancel = (requestId: number, headers = session) =>
      ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, headers, 'POST', other);
    const stranger = { 'mcp-session-id': '00000000-0000-4000-8000-000000000000' };
    for (const answer of [await cancel(7, stranger), await cancel(8)]) expect(answer.status).toBe(202);
    expect(await isFull()).toBe(true);
    expect((await cancel(7)).status).toBe(202);
    expect((await waiting).text).not.toContain('result');
    expect(await isFull()).toBe(false);
    const last = wait(9);
    await expect.poll(isFull).toBe(true);
    expect(await other.end('SIGTERM')).toBe(0);
    expect((await last.catch(() => ({ text: '' }))).text).not.toContain('result');
  });

  test('returns addresses that an agent can reach through a proxy or from another machine', async () => {
    const everywhere = await serve(['--store', 'memory:', '--mcp', '--host', '0.0.0.0', '--no-page']);
    const local = { ...everywhere, url: everywhere.url.replace('0.0.0.0', '127.0.0.1') };
    const headers = { host: 'mayfly.ci:8080', 'x-forwarded-proto': 'https' };
    const { structuredContent } = messageOf(await ask(call('create_inbox', {}), headers, 'POST', local)).result;
    expect(structuredContent).toMatchObject({ page_url: null, smtp: { host: 'mayfly.ci', port: everywhere.smtpPort } });
    await everywhere.end('SIGTERM');
  });
});

describe.each(HOSTS)('a workspace over %s', (_name, connect) => {
  test('owns the inboxes that an agent creates with its key, and no other caller can open them', async () => {
    const [stranger, member] = [await connect({ url: mayfly.url }), await connect({ url: mayfly.url, key: KEY })];
    const { structuredContent } = await member.call('create_inbox', { prefix: 'sign-up' });
    expect(structuredContent?.inbox).toMatch(/^acme-sign-up-/);
    const asked = { inbox: structuredContent?.inbox };
    expect(await member.call('check_inbox', asked)).not.toHaveProperty('isError', true);
    for (const [tool, args] of [
      ['check_inbox', asked],
      ['wait_for_email', asked],
      ['get_email', { ...asked, received_at: '2026-01-31T09:30:00.000Z', part: 'text' }],
    ] as const) {
      expect(await stranger.call(tool, args)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('owns this inbox name') }],
      });
    }
    await Promise.all([stranger.close(), member.close()]);
  });
});

test('with a wrong key, each tool call fails over stdio, and the connection fails over HTTP', async () => {
  const [[, overStdio], [, overHttp]] = HOSTS as [(typeof HOSTS)[0], (typeof HOSTS)[0]];
  await expect(overHttp({ url: mayfly.url, key: WRONG })).rejects.toThrow(/401|key is unknown/);
  const host = await overStdio({ url: mayfly.url, key: WRONG });
  expect(await host.call('check_inbox', { inbox: 'a' })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('key is unknown') }],
  });
  await host.close();
});
