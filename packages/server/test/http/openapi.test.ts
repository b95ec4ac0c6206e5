import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpErrors } from '../../src/errors.js';
import { startApi, type TestApi } from './api.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: object;
        readonly headers?: Readonly<Record<string, { schema: { enum?: string[] } }>>;
      }
    >
  >;
}

let api: TestApi;
let document: {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: object }> };
};

beforeAll(async () => {
  api = await startApi({ probes: { 'the store': async () => true } });
  document = (await api.app.inject('/openapi.json')).json();
});

afterAll(() => api.close());

describe('GET /openapi.json', () => {
  test('is OpenAPI 3.1 of the interface 1.0.0', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.0.0');
  });

  test.each([
    [
      '/api/inbox/{name}',
      'get',
      ['200', '400', '401', '429', '503'],
      ['name', 'source', 'after', 'from', 'subject', 'body', 'hasOtp', 'hasMagicLink'],
    ],
    ['/api/inbox/{name}', 'delete', ['204', '400', '401', '413', '429'], ['name']],
    [
      '/api/inbox/{name}/stream',
      'get',
      ['200', '400', '401', '429', '503'],
      ['name', 'after', 'from', 'subject', 'body', 'hasOtp', 'hasMagicLink'],
    ],
    [
      '/api/inbox/{name}/summary',
      'get',
      ['200', '400', '401', '429', '503'],
      ['name', 'source', 'after', 'from', 'subject', 'body', 'hasOtp', 'hasMagicLink', 'limit', 'before'],
    ],
    ['/api/inbox/{name}/{receivedAt}', 'get', ['200', '400', '401', '404', '429', '503'], ['name', 'receivedAt']],
    ['/api/inbox/{name}/{receivedAt}', 'delete', ['204', '400', '401', '404', '413', '429'], ['name', 'receivedAt']],
    ['/api/inbox/{name}/{receivedAt}/raw', 'get', ['200', '400', '401', '404', '429', '503'], ['name', 'receivedAt']],
    [
      '/api/inbox/{name}/{receivedAt}/html',
      'get',
      ['200', '400', '401', '404', '429', '503'],
      ['name', 'receivedAt', 'images', 'styles', 'scheme'],
    ],
    [
      '/api/inbox/{name}/{receivedAt}/html',
      'post',
      ['200', '400', '401', '404', '413', '429', '503'],
      ['name', 'receivedAt', 'images', 'styles', 'scheme'],
    ],
    [
      '/api/inbox/{name}/{receivedAt}/explain',
      'get',
      ['200', '400', '401', '404', '429', '503'],
      ['name', 'receivedAt'],
    ],
    ['/api/inbox/{name}/{receivedAt}/check', 'get', ['200', '400', '401', '404', '429', '503'], ['name', 'receivedAt']],
    ['/api/inbox/{name}/{receivedAt}/parts', 'get', ['200', '400', '401', '404', '429', '503'], ['name', 'receivedAt']],
    [
      '/api/inbox/{name}/{receivedAt}/parts/{path}',
      'get',
      ['200', '400', '401', '404', '429', '503'],
      ['name', 'receivedAt', 'path'],
    ],
    [
      '/api/emails',
      'get',
      ['200', '400', '401', '403', '404', '429', '503'],
      [
        ...['source', 'after', 'from', 'subject', 'body', 'hasOtp', 'hasMagicLink'],
        ...['to', 'search', 'limit', 'cursor'],
      ],
    ],
    ['/api/emails/stream', 'get', ['200', '400', '401', '403', '404', '429', '503'], []],
    ['/api/settings', 'get', ['200', '401', '429', '503'], []],
    ['/api/waitlist', 'post', ['200', '400', '401', '413', '415', '429'], []],
    ['/healthz', 'get', ['200', '401', '429'], []],
    ['/livez', 'get', ['200', '401', '429'], []],
    ['/readyz', 'get', ['200', '401', '429', '503'], []],
    ['/openapi.json', 'get', ['200', '401', '429'], []],
  ])('%s has its answers and parameters', (path, method, statuses, parameters) => {
    const operation = document.paths[path]?.[method];
    expect(operation?.summary).toBeTruthy();
    expect(Object.keys(operation?.responses ?? {})).toEqual(statuses);
    expect((operation?.parameters ?? []).map(({ name }) => name).sort()).toEqual([...parameters].sort());
  });

  test('names the wire types with their fields', () => {
    expect(Object.keys(document.components.schemas).sort()).toEqual(
      [
        'AllEmailsResponse',
        'Attempt',
        'CheckedFeature',
        'CheckedImages',
        'CheckedUnsubscribe',
        'Email',
        'EmailCheck',
        'EmailCode',
        'EmailLink',
        'EmailParts',
        'Envelope',
        'EmailSummary',
        'ErrorResponse',
        'Explanation',
        'HeaderField',
        'Health',
        'InboxAttempts',
        'InboxResponse',
        'ListedEmail',
        'Mailbox',
        'MimePart',
        'Readiness',
        'ReleaseResponse',
        'RunReport',
        'RunReportResponse',
        'RunResponse',
        'SendApiRequest',
        'ServiceSettings',
        'SessionAttempts',
        'SummaryResponse',
        'WaitlistRequest',
        'WaitlistResponse',
      ].sort(),
    );
    expect(Object.keys(document.components.schemas.Email?.properties ?? {})).toHaveLength(9);
  });

  test('tells for each error answer what it may be called, by the table', () => {
    const codes = new Map(Object.values(httpErrors).map(({ code, status }) => [code as string, status]));
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { responses } of operations) {
      for (const [status, { headers }] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
        const named = headers?.['Mayfly-Error']?.schema.enum ?? [];
        expect(named.length).toBeGreaterThan(0);
        for (const code of named) expect(codes.get(code)).toBe(Number(status));
      }
    }
  });
});

describe('health', () => {
  test.each(['/healthz', '/livez'])('%s answers', async (path) => {
    expect((await api.app.inject(path)).json()).toEqual({ status: 'ok' });
  });

  test('/readyz answers when every part does, and otherwise names the one that does not', async () => {
    expect((await api.app.inject('/readyz')).json()).toEqual({ status: 'ready' });
    const silent = () => new Promise<boolean>(() => {});
    for (const probe of [async () => false, () => Promise.reject(new Error('down')), silent]) {
      const broken = await startApi({ probes: { 'the SMTP listener': async () => true, 'the store': probe } });
      const response = await broken.app.inject('/readyz');
      expect(response.statusCode).toBe(503);
      expect(response.json()).toEqual({ error: 'Not ready: the store is not responding.' });
      await broken.close();
    }
  });
});
