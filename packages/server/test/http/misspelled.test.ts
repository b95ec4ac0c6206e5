import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from './api.js';

describe('a misspelled parameter', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startApi();
  });

  afterAll(() => api.close());

  test.each([
    ['/api/inbox/demo?hasotp=true', 'hasotp', 'hasOtp'],
    ['/api/inbox/demo/stream?form=app', 'form', 'from'],
    ['/api/inbox/demo/summary?limits=5', 'limits', 'limit'],
    ['/api/inbox/demo/2026-01-31T09:30:00.000Z/html?image=remote', 'image', 'images'],
    ['/api/inbox/demo?from=app&after=2026-01-31T09:30:00.000Z&Subject=x', 'Subject', 'subject'],
  ])('in %s is rejected with a suggestion of the correct name', async (url, name, meant) => {
    const { statusCode, headers, body } = await api.app.inject(url);
    expect([statusCode, headers['mayfly-error'], JSON.parse(body).error]).toEqual([
      400,
      'misspelled-query',
      `The query parameter "${name}" is unknown. Did you mean "${meant}"?`,
    ]);
  });

  test.each([
    'sources=sdk',
    'Source=sdk',
    'sorce=sdk',
    't=1',
    '_=1738315800000',
    'hasOtp=true&code=1',
    'constructor=1',
  ])('is ignored if it resembles no known parameter: %s', async (query) => {
    expect((await api.app.inject(`/api/inbox/demo?${query}`)).statusCode).toBe(200);
  });

  test.each(['subject=x', 'hasOtp=true', 'hasotp=true', 'form=app', 'before=x', 'limit=1', 'search=x'])(
    'is rejected in a deletion, which accepts no filter: %s',
    async (query) => {
      await api.mail('full', 'one');
      const { statusCode, body } = await api.app.inject({ method: 'DELETE', url: `/api/inbox/full?${query}` });
      expect([statusCode, body]).toEqual([400, expect.stringContaining('all emails of the inbox would be deleted')]);
      expect((await api.app.inject('/api/inbox/full')).json().count).toBeGreaterThan(0);
      expect((await api.app.inject({ method: 'DELETE', url: '/api/inbox/full?t=1' })).statusCode).toBe(204);
    },
  );
});
