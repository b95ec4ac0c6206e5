import { afterEach, expect, test } from 'vitest';
import { startApi, type TestApi } from './api.js';

let api: TestApi;

afterEach(() => api.close());

const ONCE = { count: 1, windowMs: 60_000 };
const WORKSPACES = [{ workspace: 'acme', key: 'acme-key-of-16-chars' }];
const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

/** A limit, the rates to set, the URL and headers of a request that counts against it, and a text in its 429. */
test.each([
  ['read-limit', { readRate: ONCE }, '/api/inbox/a/summary', {}, '/stream'],
  ['stream-limit', { streamRate: ONCE }, '/api/inbox/a/stream', {}, '/summary'],
  ['name-limit', { nameRate: ONCE }, '/api/inbox/N/summary', {}, 'mayfly-client'],
  ['wrong-key-limit', { wrongKeyRate: ONCE }, '/healthz', withKey('a-guess-of-16-chars'), 'Wait a moment'],
])('the 429 of --%s contains the limit and advice for the client', async (limit, rates, url, headers, way) => {
  api = await startApi({ workspaces: WORKSPACES, ...rates });
  const ask = (n: number) => api.app.inject({ url: url.replace('N', `n-${n}`), headers, payloadAsStream: true });
  expect((await ask(1)).statusCode).not.toBe(429);
  const refused = await ask(2);
  let body = '';
  for await (const bytes of refused.stream()) body += bytes;
  expect(refused.statusCode).toBe(429);
  expect(JSON.parse(body).error).toContain(`1 in 1 min (--${limit})`);
  expect(JSON.parse(body).error).toContain(way);
  expect(refused.headers).not.toHaveProperty('mayfly-hint');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test.each([
  ['fetch-limit', { fetchRate: ONCE }, {}],
  ['workspace-limit', { workspaceRate: ONCE }, withKey('acme-key-of-16-chars')],
])('the 429 of --%s has a fixed error text (interface section 7) and a hint', async (limit, rates, headers) => {
  api = await startApi({ workspaces: WORKSPACES, ...rates });
  await api.app.inject({ url: '/api/inbox/a', headers });
  const refused = await api.app.inject({ url: '/api/inbox/a', headers });
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({ error: 'Too many requests. Slow down.' });
  expect(refused.headers['mayfly-hint']).toMatch(new RegExp(`1 in 1 min \\(--${limit}\\)\\..*/stream.*/summary`));
});
