import fc from 'fast-check';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/framework.js';
import { EMAIL_FIELDS } from '../../src/http/path-fields.js';
import { type Checked, checkOf } from '../../src/http/request-check.js';
import { SELECTION } from '../../src/http/selection.js';
import { openLog } from '../../src/log.js';

function schemaOf(fields: Readonly<Record<string, { readonly schema: object }>>) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
  return { type: 'object', properties } as const;
}

const EMAIL = { type: 'object', properties: { email: { type: 'string', format: 'email', maxLength: 40 } } } as const;

/** Each schema of the two, with what fast-check makes values for it of. */
const SCHEMAS = {
  path: { ...schemaOf(EMAIL_FIELDS), required: ['name', 'receivedAt'] },
  query: { ...schemaOf({ source: { schema: { default: 'browser' } }, ...SELECTION }), additionalProperties: false },
  body: { ...EMAIL, required: ['email'], $id: 'Email' },
} as const;

describe('a check answers as the compiler that the framework comes with', () => {
  const standard = fastify({ ajv: { customOptions: { coerceTypes: false } } });
  let ours: Awaited<ReturnType<typeof createApp>>;

  beforeAll(async () => {
    const limits = { headerTimeoutMs: 1_000, requestTimeoutMs: 1_000, maxBodyBytes: 10_000, maxConnections: 1 };
    ours = await createApp({ limits, corsOrigins: [], log: openLog('silent', 'json') });
    for (const app of [standard, ours]) {
      const { $id, ...email } = SCHEMAS.body;
      app.addSchema({ $id, ...email });
      for (const [name, body] of Object.entries({ ...SCHEMAS, body: { $ref: 'Email#' } })) {
        app.post(`/${name}`, { schema: { body }, attachValidation: true }, async (request) => ({
          checked: request.validationError === undefined ? request.body : 'refused',
        }));
      }
      await app.ready();
    }
  });

  afterAll(async () => {
    await standard.close();
    await ours.close();
  });

  /** Mostly the first, so that a text of several parts is often right, or wrong in one of them alone. */
  const part = (right: string, ...others: string[]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
  const time = fc
    .tuple(
      part('2026-01-31', '2026-02-29', '2024-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '0000-01-01', '26-1-1'),
      part('T', '', 'TT'),
      part('09:30:00', '23:59:59', '24:00:00', '09:60:00', '09:30:60', '9:30:00', '09:30'),
      part('.000', '', '.123456789', '.1234567890', '.'),
      part('Z', 'z', '+00:00', '', 'ZZ'),
    )
    .map((parts) => parts.join(''));
  const email = fc
    .tuple(
      part('a.b', '', '.a', 'a.', 'a..b', '"a"', 'a b', 'a\u{1f41d}', '!'),
      part('@', '', '@@'),
      part('c.test', 'c', '-c.d', 'c-.d', 'c..d', '.c.d', 'c.d.'),
    )
    .map((parts) => parts.join(''));
  /** Of a length about one of the bounds, in characters of one unit or two. */
  const long = fc
    .tuple(fc.constantFrom('a', 'a.', '\u{1f41d}'), fc.constantFrom(0, 1, 31, 32, 33, 39, 40, 41, 63, 64, 65))
    .map(([unit, count]) => unit.repeat(count));
  const text = fc.oneof(fc.string(), long, time, email, fc.constantFrom('true', 'false', ''));
  const value = fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.integer(), fc.constant(null), fc.boolean());
  const field = (usual: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: value });
  const object = fc.record(
    {
      name: field(fc.oneof(long, fc.constantFrom('demo', 'a..b'))),
      receivedAt: field(time),
      email: field(
        fc.oneof(
          email,
          long.map((local) => `${local}@c.test`),
        ),
      ),
      after: field(time),
      from: field(text),
      hasOtp: field(fc.constantFrom('true', 'false')),
      source: value,
      other: value,
    },
    { requiredKeys: [] },
  );
  const anything = fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: value });

  test.each(Object.keys(SCHEMAS))('for any %s', async (name) => {
    const post = async (app: typeof ours, payload: unknown) => {
      const headers = { 'content-type': 'application/json' };
      return (await app.inject({ method: 'POST', url: `/${name}`, headers, payload: JSON.stringify(payload) })).json();
    };
    await fc.assert(
      fc.asyncProperty(anything, async (payload) => {
        expect(await post(ours, payload)).toEqual(await post(standard, payload));
      }),
      { numRuns: 1_000, seed: 10 },
    );
  });
});

describe('a check', () => {
  const pathOf = (checked: Checked) => ('error' in checked ? checked.error[0]?.instancePath : null);

  test('names the first field that breaks its rule', () => {
    const check = checkOf(SCHEMAS.query, {});
    expect(pathOf(check({ hasOtp: 'maybe' }))).toBe('/hasOtp');
    expect(pathOf(check({ after: 'now', hasOtp: 'maybe' }))).toBe('/after');
    expect(pathOf(check([]))).toBe('');
    expect(pathOf(check({ hasOtp: 'true' }))).toBeNull();
  });

  test.each([
    ['a keyword', { type: 'object', properties: { a: { type: 'string', multipleOf: 2 } } }, 'multipleOf'],
    ['a keyword of the whole', { type: 'object', minProperties: 1 }, 'minProperties'],
    ['a type', { type: 'object', properties: { a: { type: 'integer' } } }, 'integer'],
    ['a type of the whole', { type: 'array' }, 'type'],
    ['a format', { type: 'object', properties: { a: { type: 'string', format: 'uuid' } } }, 'uuid'],
    ['a shared schema', { $ref: 'Nobody#' }, 'Nobody#'],
  ])('with %s that it does not know is not made', (_name, schema, named) => {
    expect(() => checkOf(schema, {})).toThrow(`"${named}" of a schema`);
  });

  test('takes nothing of an object that others could have put there', () => {
    const check = checkOf({ type: 'object', properties: { email: { type: 'string' } }, required: ['email'] }, {});
    expect(pathOf(check(Object.create({ email: 'a@app.test' })))).toBe('/email');
  });

  test.each([
    ['maxLength', 'ab\u{1f41d}', 'ab\u{1f41d}d'],
    ['minLength', 'ab\u{1f41d}', 'a\u{1f41d}'],
  ])('counts characters for %s, and not their halves', (keyword, right, wrong) => {
    const check = checkOf({ type: 'object', properties: { a: { [keyword]: 3 } } }, {});
    expect(pathOf(check({ a: right }))).toBeNull();
    expect(pathOf(check({ a: wrong }))).toBe('/a');
  });

  test('takes a label of 63 characters and none that is longer (RFC 1035 section 2.3.4)', () => {
    const check = checkOf({ type: 'object', properties: { email: { format: 'email' } } }, {});
    expect(pathOf(check({ email: `a@${'b'.repeat(63)}.test` }))).toBeNull();
    expect(pathOf(check({ email: `a@${'b'.repeat(64)}.test` }))).toBe('/email');
  });
});
