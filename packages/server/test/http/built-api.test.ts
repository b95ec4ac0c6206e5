import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import AjvCompiler from '@fastify/ajv-compiler';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Check, type CheckFactory, readBuiltApi } from '../../src/http/built-api.js';
import { builtApi, startApi, type TestApi } from './api.js';

/** The check of one part of a route's requests: as the framework makes it by itself, and as it was built. */
interface Pair {
  readonly part: string;
  readonly own: Check;
  readonly built: Check;
}

/** Mostly the first, so that a text of several parts is often right, or wrong in one of them alone. */
const part = (right: string, ...others: string[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const time = fc
  .tuple(
    part('2026-01-31', '2026-02-29', '2026-13-01', '26-1-1'),
    part('T', '', 'TT'),
    part('09:30:00', '24:00:00', '09:30:60', '09:30'),
    part('.000', '', '.1234567890', '.'),
    part('Z', 'z', '+00:00', ''),
  )
  .map((parts) => parts.join(''));
const email = fc
  .tuple(part('a.b', '', '.a', 'a b', 'a\u{1f41d}'), part('@', '', '@@'), part('c.test', 'c', '-c.d', 'c..d'))
  .map((parts) => parts.join(''));
/** Of a length about one of the bounds, in characters of one unit or two. */
const long = fc
  .tuple(fc.constantFrom('a', '\u{1f41d}'), fc.constantFrom(0, 1, 39, 40, 41, 64, 65, 254, 255))
  .map(([unit, count]) => unit.repeat(count));
const value = fc.oneof(fc.string(), long, fc.array(fc.string(), { maxLength: 2 }), fc.integer(), fc.constant(null));
const field = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: value });
const object = fc.record(
  {
    name: field(fc.oneof(long, fc.constantFrom('demo', 'a..b'))),
    receivedAt: field(time),
    email: field(email),
    after: field(time),
    from: value,
    hasOtp: field(fc.constantFrom('true', 'false', 'maybe')),
    images: field(fc.constantFrom('true', 'false', 'maybe')),
    key: value,
    other: value,
  },
  { requiredKeys: [] },
);

describe('the checks that were built', () => {
  const pairs: Pair[] = [];
  let api: TestApi;

  beforeAll(async () => {
    const both: CheckFactory = (shared, options) => {
      const own = AjvCompiler()(shared as never, options as never) as ReturnType<CheckFactory>;
      const built = builtApi.checks(shared, options);
      return (route) => {
        const { url, httpPart } = route as unknown as { url: string; httpPart: string };
        const pair = { part: `${url}, ${httpPart}`, own: own(route), built: built(route) };
        pairs.push(pair);
        return pair.built;
      };
    };
    api = await startApi({ checks: both });
  });

  afterAll(() => api.close());

  test('answer as those that the framework makes at a start', () => {
    expect(pairs.length).toBeGreaterThan(5);
    for (const { part, own, built } of pairs) {
      fc.assert(
        fc.property(fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: value }), (given) => {
          const answerOf = (check: Check) => {
            const checked = structuredClone(given);
            return { part, isRight: check(checked), checked, errors: (check as { errors?: unknown }).errors };
          };
          expect(answerOf(built)).toEqual(answerOf(own));
        }),
        { numRuns: 100, seed: 10 },
      );
    }
  });

  test.each([
    ['a schema', { schema: { type: 'string', maxLength: 7 } }, {}],
    ['a schema that one refers to', { schema: { $ref: 'WaitlistRequest#' } }, { WaitlistRequest: { type: 'object' } }],
  ])('are refused for %s that has changed since', (_name, route, shared) => {
    expect(() => builtApi.checks(shared, {})(route)).toThrow('Run "npm run build"');
  });
});

test('an interface that is not built is a sentence that says so', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-api-'));
  await expect(readBuiltApi(folder)).rejects.toThrow('The HTTP interface is not built, or not completely.');
});
