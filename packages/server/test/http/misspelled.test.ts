import { meantBy } from 'mayfly-protocol/misspelled';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpErrors } from '../../src/errors.js';
import { RequestError } from '../../src/http/answer/request-error.js';
import { reading } from '../../src/http/request/fields.js';
import { startApi, type TestApi } from './api.js';

describe('meantBy', () => {
  const names = ['after', 'from', 'subject', 'body', 'hasOtp', 'hasMagicLink'];

  test.each([
    ['hasotp', 'hasOtp'],
    ['HASOTP', 'hasOtp'],
    ['has_otp', 'hasOtp'],
    ['otp', 'hasOtp'],
    ['magicLink', 'hasMagicLink'],
    ['has-magic-link', 'hasMagicLink'],
    ['form', 'from'],
    ['fro', 'from'],
    ['rom', 'from'],
    ['ffrom', 'from'],
    ['froms', 'from'],
    ['frim', 'from'],
    ['hasOpt', 'hasOtp'],
    ['subjcet', 'subject'],
    ['Body', 'body'],
  ])('%s was %s', (text, meant) => {
    expect(meantBy(text, names)).toBe(meant);
  });

  test.each([
    '',
    '_',
    't',
    'to',
    'mform',
    'fomr1',
    'for',
    'link',
    'cursor',
    'utm_source',
    'from'.repeat(1_000),
    '\u0000',
  ])('%j was none of them', (text) => {
    expect(meantBy(text, names)).toBeNull();
  });
});

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
  ])('%s is refused with the right name', async (url, name, meant) => {
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
  ])('another one is ignored: %s', async (query) => {
    expect((await api.app.inject(`/api/inbox/demo?${query}`)).statusCode).toBe(200);
  });

  test.each(['subject=x', 'hasOtp=true', 'hasotp=true', 'form=app', 'before=x', 'limit=1', 'search=x'])(
    'a deletion takes no filter: %s',
    async (query) => {
      await api.mail('full', 'one');
      const { statusCode, body } = await api.app.inject({ method: 'DELETE', url: `/api/inbox/full?${query}` });
      expect([statusCode, body]).toEqual([400, expect.stringContaining('all emails of the inbox would be deleted')]);
      expect((await api.app.inject('/api/inbox/full')).json().count).toBeGreaterThan(0);
      expect((await api.app.inject({ method: 'DELETE', url: '/api/inbox/full?t=1' })).statusCode).toBe(204);
    },
  );
});

test.each([
  [{ after: '' }, null],
  [{ aftr: '' }, 'misspelled-query'],
  [{ id: '' }, 'bad-query'],
  [{ ID: '' }, 'bad-query'],
  [{ other: '' }, null],
])('where a route names both known and harmful parameters, %o is answered with %s', (query, code) => {
  const input = reading({
    query: { after: { schema: {}, error: httpErrors.badQuery, rule: 'give a time' } },
    refused: { names: ['id'], rule: 'name it in the path' },
  });
  const { preValidation } = input.options('look', { operationId: 'ask', summary: 'Asks.', response: {} });
  let refusal: Error | undefined;
  preValidation?.({ query }, null, (error) => {
    refusal = error;
  });
  expect(refusal instanceof RequestError ? refusal.headers['mayfly-error'] : null).toBe(code);
});
