import { newName } from 'mayfly-client/api';
import { beforeEach, describe, expect, test } from 'vitest';
import { api, restart, startApiForEachTest } from './api.js';
import { OPERATIONS, request } from './operations.js';

const ONCE = { count: 1, windowMs: 10_000 };
const LIMITED = { count: 2, windowMs: 10_000 };
const KEY = 'acme-key-of-16-chars';
const WORKSPACES = [
  { workspace: 'acme', key: KEY },
  { workspace: 'acme', key: 'acme-next-key-of-it' },
  { workspace: 'beta', key: 'beta-key-of-16-chars' },
];
const MANY_STREAMS = { maxStreams: 1_000, maxStreamsPerClient: 1_000 };

startApiForEachTest({
  workspaces: WORKSPACES,
  fetchRate: LIMITED,
  workspaceRate: { count: 5, windowMs: 10_000 },
});

async function status(url: string, authorization?: string): Promise<number> {
  return (await api.app.inject({ url, headers: authorization === undefined ? {} : { authorization } })).statusCode;
}

describe('workspaces (D15)', () => {
  test.each([
    ['/api/inbox/acme-signup', 'Bearer acme-key-of-16-chars', 200],
    ['/api/inbox/acme-signup', 'Bearer acme-next-key-of-it', 200],
    ['/api/inbox/ACME-signup', 'bearer acme-key-of-16-chars', 200],
    ['/api/inbox/acme-signup', undefined, 401],
    ['/api/inbox/acme-signup', 'Bearer beta-key-of-16-chars', 401],
    ['/api/inbox/acme-signup', 'Basic YTpi', 401],
    ['/api/inbox/acme', undefined, 200],
    ['/api/inbox/acmes-signup', undefined, 200],
    ['/api/inbox/free', 'Bearer acme-key-of-16-chars', 200],
    ['/api/inbox/free', 'Bearer nobody', 401],
    ['/api/inbox/free', 'Bearer ', 401],
    ['/api/inbox/acme-signup/stream', undefined, 401],
    ['/nowhere', 'Bearer nobody', 401],
  ])('a request to %s with %s gets %i', async (url, authorization, expected) => {
    expect(await status(url, authorization)).toBe(expected);
  });

  test('a 401 explains how to authenticate', async () => {
    const response = await api.app.inject('/api/inbox/acme-signup');
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json().error).toContain('Authorization: Bearer');
  });

  test('a workspace at its limit does not affect other workspaces or requests without a key', async () => {
    for (let n = 0; n < 5; n++) expect(await status('/api/inbox/acme-x', 'Bearer acme-key-of-16-chars')).toBe(200);
    expect(await status('/api/inbox/acme-x', 'Bearer acme-key-of-16-chars')).toBe(429);
    expect(await status('/api/inbox/beta-x', 'Bearer beta-key-of-16-chars')).toBe(200);
    expect(await status('/api/inbox/free')).toBe(200);
  });

  test.each([
    ['a scheme in another case and more spaces', `BEARER   ${KEY}`, 200],
    ['a scheme that only begins with Bearer', `Bearers ${KEY}`, 401],
    ['a tab after the scheme', `Bearer\t${KEY}`, 401],
    ['a key with a character that no key has', `Bearer ${KEY}ä`, 401],
    ['a key with a space', `Bearer ${KEY} ${KEY}`, 401],
    ['a key that is too short', `Bearer ${KEY.slice(0, 15)}`, 401],
    ['a key that is too long', `Bearer ${'k'.repeat(513)}`, 401],
  ])('a request with %s gets %i', async (_, authorization, expected) => {
    expect(await status('/api/inbox/acme-signup', authorization)).toBe(expected);
  });
});

test.each(OPERATIONS)(
  '$method $path gets 429 beyond a rate limit (D12), and 401 without the key of the workspace (D15)',
  async (operation) => {
    await restart({ workspaces: WORKSPACES, fetchRate: ONCE, readRate: ONCE, streamRate: ONCE });
    await api.mail('demo');
    const ask = async (inbox: string, key?: string) => {
      const response = await request(operation, inbox, new Date(api.clock.now()).toISOString(), key && `Bearer ${key}`);
      return response.statusCode;
    };
    expect(await ask('demo')).not.toBe(429);
    expect(await ask('demo')).toBe(429);
    await restart({ workspaces: WORKSPACES });
    await api.mail('acme-box');
    for (const key of [undefined, 'beta-key-of-16-chars', 'wrong-key-of-16-chars'])
      expect(await ask('acme-box', key)).toBe(401);
    expect(await ask('acme-box', KEY)).not.toBe(401);
  },
);

describe('a wrong key (D15)', () => {
  const WRONG = { authorization: 'Bearer a-guess-of-16-chars' };
  const RIGHT = { authorization: `Bearer ${KEY}` };
  const ROUTES = [
    ['GET', '/healthz'],
    ['GET', '/api/inbox/free'],
    ['GET', '/api/inbox/free/stream'],
    ['GET', '/nowhere'],
    ['POST', '/api/waitlist'],
    ['DELETE', '/api/inbox/free'],
  ] as const;

  test.each(ROUTES)('%s %s responds with 429 to a client that sent too many wrong keys', async (method, url) => {
    const ask = () => api.app.inject({ method, url, headers: WRONG });
    for (let n = 0; n < LIMITED.count; n++) expect((await ask()).statusCode).toBe(401);
    const response = await ask();
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('10');
    expect((await api.app.inject('/api/inbox/free')).statusCode).toBe(429);
  });

  test.each(ROUTES)('%s %s also rejects the correct key after too many wrong keys', async (method, url) => {
    await restart({ workspaces: WORKSPACES, wrongKeyRate: { count: 3, windowMs: 10_000 } });
    const ask = (headers: Record<string, string>, remoteAddress = '192.0.2.1') =>
      api.app.inject({ method, url, headers, remoteAddress, payloadAsStream: true });
    for (let n = 0; n < 3; n++) expect((await ask(WRONG)).statusCode).toBe(401);
    for (const headers of [WRONG, RIGHT]) {
      const response = await ask(headers);
      expect(response.statusCode).toBe(429);
      expect(response.headers['mayfly-error']).toBe('too-many-wrong-keys');
      expect(response.headers['retry-after']).toBe('10');
    }
    expect((await ask({})).statusCode).not.toBe(429);
    expect((await ask(RIGHT, '192.0.2.2')).statusCode).not.toBe(429);
    await api.clock.advance(10_000);
    expect([401, 429]).not.toContain((await ask(RIGHT)).statusCode);
  });
});

describe('streams', () => {
  const stream = (name: string, remoteAddress = '192.0.2.1', headers = {}) =>
    api.app.inject({ url: `/api/inbox/${name}/stream`, remoteAddress, headers, payloadAsStream: true });

  const look = async (name: string, remoteAddress?: string) => (await stream(name, remoteAddress)).statusCode;

  describe('the limit on guessing names (D48)', () => {
    const MOST = 20;
    const NAMES = { count: MOST, windowMs: 100_000 };

    beforeEach(() => restart({ nameRate: NAMES, workspaces: WORKSPACES, ...MANY_STREAMS }));

    test('responds with 429 after 20 names without mail, and allows one more name after five seconds', async () => {
      for (let n = 0; n < MOST; n++) expect(await look(`guess-${n}`)).toBe(200);
      const response = await stream('guess-next');
      expect(response.statusCode).toBe(429);
      expect(response.headers['mayfly-error']).toBe('too-many-names');
      expect(response.headers['retry-after']).toBe('5');
      expect(await look('guess-0')).toBe(200);
      expect(await look('guess-next', '192.0.2.2')).toBe(200);
      await api.clock.advance(5_000);
      expect(await look('guess-next')).toBe(200);
      expect(await look('guess-after-it')).toBe(429);
    });

    test('does not count the name of an inbox that receives mail', async () => {
      for (let n = 0; n < 3 * MOST; n++) {
        const response = await stream(`test-${n}`);
        expect(response.statusCode).toBe(200);
        response.stream().resume();
        await api.mail(`test-${n}`);
        await api.clock.advance(0);
      }
    });

    test.each(['summary', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z/parts'])(
      'also counts reads of %s for names without mail',
      async (path) => {
        const ask = (name: string) => api.app.inject({ url: `/api/inbox/${name}/${path}`, remoteAddress: '192.0.2.1' });
        for (let n = 0; n < MOST; n++)
          expect((await ask(`Guess-${n}`)).statusCode).toBe(path === 'summary' ? 200 : 404);
        expect((await ask('guess-next')).headers['mayfly-error']).toBe('too-many-names');
        expect(await look('guess-next')).toBe(429);
        expect((await ask('guess-0')).statusCode).not.toBe(429);
        expect((await ask('a..b')).statusCode).toBe(400);
      },
    );

    test('does not count a random name that newName() of mayfly-client generated', async () => {
      for (let n = 0; n < 2 * MOST; n++) {
        const name = newName(n % 2 ? 'sign-up' : undefined);
        expect(await look(name)).toBe(200);
        expect((await api.app.inject(`/api/inbox/${name.toUpperCase()}/summary`)).statusCode).toBe(200);
      }
      for (let n = 0; n < MOST; n++) expect(await look(`guess-${n}`)).toBe(200);
      expect(await look('guess-next')).toBe(429);
      expect(await look(newName())).toBe(200);
    });
  });
});
