import { describe, expect, test } from 'vitest';
import { MayflyNetworkError, MayflyRateLimitError, MayflyResponseError } from '../src/errors.js';
import { isPassing, pauseMs, retried } from '../src/retry.js';

describe('isPassing', () => {
  test.each([
    ['a server that cannot be reached', new MayflyNetworkError('', { baseUrl: 'http://127.0.0.1:8080' }), true],
    ['too many requests', new MayflyRateLimitError('', { status: 429, retryAfterMs: 1_000 }), true],
    ['an error inside the server', new MayflyResponseError('', { status: 500 }), true],
    ['a gateway without a server', new MayflyResponseError('', { status: 502 }), true],
    ['a refusal', new MayflyResponseError('', { status: 401 }), false],
    ['an answer of something else', new MayflyResponseError('', { status: 200 }), false],
    ['any other error', new TypeError(), false],
  ])('%s: %s', (_, error, passes) => {
    expect(isPassing(error)).toBe(passes);
  });
});

describe('pauseMs', () => {
  test('doubles with each failure, up to two seconds, so that one test does not use up the request rate of all others', () => {
    const failures = [1, 2, 3, 4, 5, 6, 7, 50];
    expect(failures.map((count) => pauseMs(count, new MayflyResponseError('', { status: 503 })))).toEqual([
      100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000,
    ]);
  });

  test('is as long as the server asks', () => {
    expect(pauseMs(1, new MayflyRateLimitError('', { status: 429, retryAfterMs: 7_000 }))).toBe(7_000);
  });
});

describe('retried', () => {
  test('rejects with what went wrong, and not with what the end of its time cut short', async () => {
    const ended = new AbortController();
    const refused = new MayflyNetworkError('refused', { baseUrl: '' });
    const attempts = [
      () => Promise.reject(refused),
      () => {
        ended.abort();
        return Promise.reject(new MayflyNetworkError('cut short', { baseUrl: '' }));
      },
    ];
    const attempt = () => (attempts.shift() as () => Promise<never>)();
    await expect(retried(ended.signal, attempt)).rejects.toBe(refused);
    await expect(retried(AbortSignal.abort(), () => Promise.reject(refused))).rejects.toBe(refused);
  });
});
