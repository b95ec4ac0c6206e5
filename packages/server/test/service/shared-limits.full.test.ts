import { request } from 'node:http';
import { newName } from 'mayfly-client/api';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../tools/needs.js';
import { type RedisServer, startRedis } from '../../../store-redis/test/redis-server.js';
import { endAll, type RunningMayfly, serve, transportTo } from './process.js';

/** Longer than any test, so that no counted request expires during a test. */
const LONG = '10m';
const KEY = 'acme-key-0123456789';

/** Returns options for a request of this client through a trusted proxy. */
const asking = (client: string, more: Record<string, string> = {}) => ({
  headers: { 'x-forwarded-for': client, ...more },
});

let redis: RedisServer;
const TRUSTING = ['--trust-proxy', '127.0.0.1'];

/** Starts two nodes on one Redis server, and returns the nodes and the server's URL. */
async function twoNodes(args: readonly string[]) {
  const url = redis.newUrl();
  const all = ['--store', url, ...TRUSTING, ...args];
  const [one, two] = await Promise.all([serve(all), serve(all)]);
  return { url, one, two };
}

const seen = async (response: Response) => ({
  status: response.status,
  code: response.headers.get('mayfly-error'),
  body: await response.json(),
});

const get = (node: RunningMayfly, path: string, client: string, more?: Record<string, string>) =>
  fetch(`${node.url}${path}`, asking(client, more));

const statuses = async (responses: Promise<Response>[]) => {
  const all = await Promise.all(responses);
  await Promise.all(all.map((response) => response.arrayBuffer()));
  return all.map(({ status }) => status);
};

const count = (values: readonly number[], one: number) => values.filter((value) => value === one).length;

describe('limits over two nodes', needs('redis-server'), () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(endAll);
  afterAll(() => redis.end());

  test('reject the right key on both nodes after too many wrong keys', async () => {
    const { one, two } = await twoNodes(['--wrong-key-limit', `4/${LONG}`, '--workspace', `acme=${KEY}`]);
    const withKey = (node: RunningMayfly, key: string) =>
      get(node, '/api/settings', '203.0.113.1', { authorization: `Bearer ${key}` });
    expect((await withKey(one, KEY)).status).toBe(200);
    const wrong = Array.from({ length: 12 }, (_, n) => withKey(n % 2 ? one : two, `wrong-key-${n}-0123456789`));
    const answered = await statuses(wrong);
    expect([count(answered, 401), count(answered, 429)]).toEqual([4, 8]);
    for (const node of [one, two]) {
      expect(await seen(await withKey(node, KEY))).toMatchObject({ status: 429, code: 'too-many-wrong-keys' });
    }
    expect((await get(two, '/api/settings', '203.0.113.2', { authorization: `Bearer ${KEY}` })).status).toBe(200);
  });

  test('count an empty inbox once if both nodes read it, and do not count an inbox with mail', async () => {
    const { one, two } = await twoNodes(['--name-limit', '10/10d', '--read-limit', 'off']);
    const look = async (node: RunningMayfly, name: string) =>
      (await get(node, `/api/inbox/${name}/summary`, '203.0.113.1')).status;
    await transportTo(one).sendMail({ from: 'a@app.test', to: 'full@inbox.example.com', subject: 'x', text: 'x' });
    for (const node of [one, two]) {
      for (let n = 0; n < 9; n++) expect(await look(node, `empty-${n}`)).toBe(200);
      expect(await look(node, 'full')).toBe(200);
    }
    await expect.poll(() => look(two, 'empty-9')).toBe(200);
    expect([await look(one, 'empty-10'), await look(two, 'empty-11')]).toEqual([429, 429]);
    expect([await look(one, 'empty-1'), await look(two, 'empty-1')]).toEqual([200, 200]);
    for (const node of [one, two, one]) expect(await look(node, newName('sign-up'))).toBe(200);
    expect(await look(one, 'empty-12')).toBe(429);
  });

  describe('open streams', () => {
    test('on both nodes are counted together until they close', async () => {
      const { one, two } = await twoNodes(['--streams-per-client', '3']);
      const open = [await openStream(one, 'a'), await openStream(two, 'b'), await openStream(two, 'c')];
      expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
      for (const node of [one, two]) {
        const refused = await get(node, '/api/inbox/d/stream', '203.0.113.1');
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(await seen(refused)).toEqual({
          status: 429,
          code: 'too-many-streams',
          body: { error: expect.stringContaining('The limit is 3 (--streams-per-client). Close some first') },
        });
      }
      open[1]?.leave();
      const opened = await untilOpened(one, 'd');
      expect((await openStream(two, 'e')).status).toBe(429);
      for (const { leave } of [...open, opened]) leave();
    });
  });

  describe('while the store is unreachable', () => {
    test('each node counts separately and rejects all keys, and afterwards both count together again', async () => {
      const own = await startRedis();
      const limits = ['--fetch-limit', `6/${LONG}`, '--workspace', `acme=${KEY}`, '--smtp-limit', `1/${LONG}`];
      const all = ['--store', `redis://127.0.0.1:${own.port}`, ...TRUSTING, ...limits];
      const [one, two] = await Promise.all([serve(all), serve(all)]);
      const withKey = (node: RunningMayfly, key = KEY) =>
        get(node, '/api/settings', '203.0.113.9', { authorization: `Bearer ${key}` });
      expect((await withKey(one)).status).toBe(200);
      for (let n = 0; n < 3; n++) expect((await get(one, '/api/inbox/demo', '203.0.113.1')).status).toBe(200);
      own.process.kill('SIGSTOP');
      // A wrong key and a right one get the same response.
      for (const key of [KEY, 'wrong-key-0123456789']) {
        const refused = await withKey(one, key);
        expect(refused.headers.get('retry-after')).toBe('1');
        expect(await seen(refused)).toMatchObject({ status: 503, code: 'store-away' });
      }
      // This node has used three of six fetches. It counts three more, which fail with 503, and then replies with 429.
      const fetches = Array.from({ length: 10 }, () => get(one, '/api/inbox/demo', '203.0.113.1'));
      const answered = await statuses(fetches);
      expect([count(answered, 503), count(answered, 429)]).toEqual([3, 7]);
      expect(one.log()).toContain('each node enforces the limits by itself');
      own.process.kill('SIGCONT');
      await expect.poll(async () => (await withKey(one)).status).toBe(200);
      await expect.poll(async () => (await withKey(two)).status).toBe(200);
      for (let n = 0; n < 6; n++) expect((await get(two, '/api/inbox/demo', '203.0.113.2')).status).toBe(200);
      await expect.poll(async () => (await get(one, '/api/inbox/demo', '203.0.113.2')).status).toBe(429);
      await own.end();
    });
  });
});

/** Opens a stream as a new client, and resolves once it has begun or was refused. */
function openStream(node: RunningMayfly, inbox: string): Promise<{ status: number | undefined; leave(): void }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${node.url}/api/inbox/${inbox}/stream`, asking('203.0.113.1'), (response) => {
      response.on('error', () => {}).resume();
      resolve({ status: response.statusCode, leave: () => asked.destroy() });
    });
    asked.on('error', reject).end();
  });
}

/** Opens a stream, and retries until a place is free. */
async function untilOpened(node: RunningMayfly, inbox: string) {
  let opened = await openStream(node, inbox);
  await expect
    .poll(async () => {
      if (opened.status !== 200) opened = await openStream(node, inbox);
      return opened.status;
    })
    .toBe(200);
  return opened;
}
