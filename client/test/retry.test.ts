import { describe, expect, test } from 'vitest';
import { MayflyNetworkError, MayflyRateLimitError, MayflyResponseError } from '../src/errors.js';
import { isPassing, pauseMs } from '../src/retry.js';

describe('isPassing', () => {
  test.each([
    ['a server that cannot be reached', new MayflyNetworkError('', 'http://127.0.0.1:8080'), true],
    ['too many requests', new MayflyRateLimitError('', 429, 1_000), true],
    ['an error inside the server', new MayflyResponseError('', 500), true],
    ['a gateway without a server', new MayflyResponseError('', 502), true],
    ['a refusal', new MayflyResponseError('', 401), false],
    ['an answer of something else', new MayflyResponseError('', 200), false],
    ['any other error', new TypeError(), false],
  ])('%s: %s', (_, error, passes) => {
    expect(isPassing(error)).toBe(passes);
  });
});

describe('pauseMs', () => {
  test('doubles with each failure, up to two seconds, so that one test does not use up the request rate of all others', () => {
    const failures = [1, 2, 3, 4, 5, 6, 7, 50];
    expect(failures.map((count) => pauseMs(count, new MayflyResponseError('', 503)))).toEqual([
      100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000,
    ]);
  });

  test('is as long as the server asks', () => {
    expect(pauseMs(1, new MayflyRateLimitError('', 429, 7_000))).toBe(7_000);
  });
});
