import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AddressRange, parseRange } from '../../src/limits/client-address.js';
import { startApi, type TestApi } from './api.js';

let api: TestApi;
const LIMITED = { count: 2, windowMs: 10_000 };
const PROXY = parseRange('10.0.0.0/8') as AddressRange;

beforeEach(async () => {
  api = await startApi({
    workspaces: [
      { workspace: 'acme', key: 'acme-key-of-16-chars' },
      { workspace: 'acme', key: 'acme-next-key-of-it' },
      { workspace: 'beta', key: 'beta-key-of-16-chars' },
    ],
    fetchRate: LIMITED,
    workspaceRate: { count: 5, windowMs: 10_000 },
  });
});

afterEach(() => api.close());

async function status(url: string, authorization?: string): Promise<number> {
  return (await api.app.inject({ url, headers: authorization === undefined ? {} : { authorization } })).statusCode;
}

describe('workspaces (design D15)', () => {
  test.each([
    ['/api/inbox/acme-signup', 'Bearer acme-key-of-16-chars', 200],
    ['/api/inbox/acme-signup', 'Bearer acme-next-key-of-it', 200],
    ['/api/inbox/ACME-signup', 'bearer acme-key-of-16-chars', 200],
    ['/api/inbox/acme-signup', undefined, 401],
    ['/api/inbox/Acme-signup', undefined, 401],
    ['/api/inbox/acme-signup', 'Bearer beta-key-of-16-chars', 401],
    ['/api/inbox/acme-signup', 'Basic YTpi', 401],
    ['/api/inbox/acme', undefined, 200],
    ['/api/inbox/acmes-signup', undefined, 200],
    ['/api/inbox/free', 'Bearer acme-key-of-16-chars', 200],
    ['/api/inbox/free', 'Basic YTpi', 200],
    ['/api/inbox/free', 'Bearer nobody', 401],
    ['/api/inbox/free', 'Bearer', 401],
    ['/api/inbox/free', 'Bearer ', 401],
    ['/api/inbox/acme-signup/stream', undefined, 401],
    ['/api/inbox/acme-signup/stream', 'Bearer nobody', 401],
    ['/healthz', 'Bearer nobody', 401],
    ['/nowhere', 'Bearer nobody', 401],
  ])('%s with %s is %i', async (url, authorization, expected) => {
    expect(await status(url, authorization)).toBe(expected);
  });

  test('a 401 says what to do and how to authenticate', async () => {
    const response = await api.app.inject('/api/inbox/acme-signup');
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json().error).toContain('Authorization: Bearer');
  });

  test('a workspace has its own limit, whatever the address', async () => {
    for (let n = 0; n < 5; n++) expect(await status('/api/inbox/acme-x', 'Bearer acme-key-of-16-chars')).toBe(200);
    expect(await status('/api/inbox/acme-x', 'Bearer acme-key-of-16-chars')).toBe(429);
    expect(await status('/api/inbox/beta-x', 'Bearer beta-key-of-16-chars')).toBe(200);
    expect(await status('/api/inbox/free')).toBe(200);
  });

  test('keys can be tried out no faster than inboxes are fetched', async () => {
    expect(await status('/api/inbox/free', 'Bearer guess-1')).toBe(401);
    expect(await status('/api/inbox/free', 'Bearer guess-2')).toBe(401);
    expect(await status('/api/inbox/free', 'Bearer guess-3')).toBe(429);
  });
});

describe('a trusted proxy (design D12)', () => {
  const fetchBy = (remoteAddress: string, forwardedFor: string) =>
    api.app.inject({ url: '/api/inbox/demo', remoteAddress, headers: { 'x-forwarded-for': forwardedFor } });

  beforeEach(async () => {
    await api.close();
    api = await startApi({ fetchRate: LIMITED, trusted: [PROXY] });
  });

  test('tells the address of the client', async () => {
    for (let n = 0; n < 2; n++) expect((await fetchBy('10.0.0.1', '192.0.2.1')).statusCode).toBe(200);
    expect((await fetchBy('10.0.0.1', '192.0.2.1')).statusCode).toBe(429);
    expect((await fetchBy('10.0.0.1', '192.0.2.2')).statusCode).toBe(200);
  });

  test('is believed about its own client alone, not about what that client claims', async () => {
    for (let n = 0; n < 2; n++) await fetchBy('10.0.0.1', `198.51.100.${n}, 192.0.2.1`);
    expect((await fetchBy('10.0.0.1', '198.51.100.9, 192.0.2.1')).statusCode).toBe(429);
  });
});
