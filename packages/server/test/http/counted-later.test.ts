import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Limits, OWN_LIMITS } from '../../src/limits/limits.js';
import { startApi, type TestApi } from './api.js';

let api: TestApi;

afterEach(() => api.close());

const KEY = 'acme-key-0123456789';
const WAIT_MS = 3_500;
const PATIENCE = { timeout: 30_000 };

/** A limit of fetches that answers when it is told to. */
async function withLaterFetches(limited: 'fetch' | 'workspace' = 'fetch') {
  let answer: (waitMs: number) => void = () => {};
  const asked = vi.fn(() => new Promise<number>((resolve) => (answer = resolve)));
  const counting: Limits = {
    ...OWN_LIMITS,
    rate: (counted, rate) => (counted === limited ? { take: asked, wait: () => 0 } : OWN_LIMITS.rate(counted, rate)),
  };
  const rate = { count: 1, windowMs: 10_000 };
  const workspaces = [{ workspace: 'acme', key: KEY }];
  api = await startApi({ counting, fetchRate: rate, workspaceRate: rate, workspaces });
  const get = (url: string, key?: string) =>
    api.app.inject({ url, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  return { get, asked, answer: (waitMs: number) => answer(waitMs) };
}

const REFUSED = { status: 429, retryAfter: '4', body: { error: 'Too many requests. Slow down.' } };

const seen = async (response: Promise<{ statusCode: number; headers: object; json(): unknown }>) => {
  const { statusCode, headers, json } = await response;
  return { status: statusCode, retryAfter: (headers as Record<string, string>)['retry-after'], body: json() };
};

describe('a fetch that is counted somewhere else', () => {
  test.each([
    { limited: 'fetch', key: undefined, name: 'demo' },
    { limited: 'workspace', key: KEY, name: 'acme-demo' },
  ] as const)('is read meanwhile, and answered once it is counted: $limited', async ({ limited, key, name }) => {
    const { get, asked, answer } = await withLaterFetches(limited);
    await api.mail(name, 'hello');
    const read = vi.spyOn(api.inboxes, 'read');
    const response = get(`/api/inbox/${name}`, key);
    await vi.waitFor(() => expect(read).toHaveBeenCalledOnce(), PATIENCE);
    expect(asked).toHaveBeenCalledOnce();
    const early = await Promise.race([response, new Promise((resolve) => setImmediate(resolve, 'not yet'))]);
    expect(early).toBe('not yet');
    answer(0);
    expect(await seen(response)).toMatchObject({ status: 200, body: { count: 1 } });
  });

  test.each([
    ['all is well', '/api/inbox/demo'],
    ['the name is none', '/api/inbox/de..mo'],
    ['the query is wrong', '/api/inbox/demo?after=never'],
    ['the inbox is another’s', '/api/inbox/acme-demo'],
  ])('is refused in the same words though %s', async (_what, path) => {
    const { get, asked, answer } = await withLaterFetches();
    const response = get(path);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), PATIENCE);
    answer(WAIT_MS);
    expect(await seen(response)).toEqual(REFUSED);
  });

  test('is refused also where it could not be read', async () => {
    const { get, asked, answer } = await withLaterFetches();
    await api.store.close();
    const response = get('/api/inbox/demo');
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), PATIENCE);
    answer(WAIT_MS);
    expect(await seen(response)).toEqual(REFUSED);
  });

  test.each([
    ['/api/inbox/de..mo', 400],
    ['/api/inbox/acme-demo', 401],
  ])('is told what else is wrong once it is counted: %s', async (path, status) => {
    const { get, asked, answer } = await withLaterFetches();
    const response = get(path);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), PATIENCE);
    answer(0);
    expect((await response).statusCode).toBe(status);
  });
});
