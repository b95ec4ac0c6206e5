import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpErrors } from '../../src/errors.js';
import { installedPlugins } from '../../src/plugin/installed.js';
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
  components: {
    schemas: Record<
      string,
      { description?: string; properties: Record<string, { description?: string; $ref?: string }> }
    >;
  };
};

beforeAll(async () => {
  api = await startApi({ probes: { 'the store': async () => true } });
  document = (await api.app.inject('/openapi.json')).json();
});

afterAll(() => api.close());

describe('GET /openapi.json', () => {
  // Covers sections 4.1 to 4.3 of the interface. The rest of the document is generated from the routes.
  test.each([
    ['/api/inbox/{name}', 'get', ['200', '429'], ['name', 'source']],
    ['/api/inbox/{name}/stream', 'get', ['200', '429'], ['name']],
    ['/api/waitlist', 'post', ['200', '400'], []],
  ])('documents the specified responses and parameters of %s', (path, method, statuses, parameters) => {
    const operation = document.paths[path]?.[method];
    expect(operation?.summary).toBeTruthy();
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    const names = (operation?.parameters ?? []).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(parameters));
  });

  test('describes every schema, and every field that does not refer to another schema', () => {
    const { schemas } = document.components;
    const fields = Object.entries(schemas).flatMap(([shape, { properties }]) =>
      Object.entries(properties).map(([field, schema]) => ({ name: `${shape}.${field}`, ...schema })),
    );
    const undescribed = [
      ...Object.keys(schemas).filter((name) => !schemas[name]?.description),
      ...fields.filter(({ description, $ref }) => !description && !$ref).map(({ name }) => name),
    ];
    expect(undescribed).toEqual([]);
  });

  test('lists the error codes of each error response', () => {
    const added = installedPlugins().flatMap(({ plugin }) => Object.values(plugin.errors?.http ?? {}));
    const codes = new Map([...Object.values(httpErrors), ...added].map(({ code, status }) => [code as string, status]));
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
  test.each(['/healthz', '/livez'])('%s responds with 200', async (path) => {
    expect((await api.app.inject(path)).json()).toEqual({ status: 'ok' });
  });

  test('/readyz responds with 200, or with 503 and the name of the component that does not respond', async () => {
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
