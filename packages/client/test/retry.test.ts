import { describe, expect, test } from 'vitest';
import { MayflyNetworkError, MayflyRateLimitError, MayflyResponseError } from '../src/wait/errors.js';
import { isPassing, pauseMs, retried } from '../src/wait/retry.js';

describe('isPassing', () => {
  test.each([
    ['a server that cannot be reached', new MayflyNetworkError('', { baseUrl: 'http://127.0.0.1:8080' }), true],
    ['too many requests', new MayflyRateLimitError('', { status: 429, retryAfterMs: 1_000 }), true],
    ['a request that came too slowly', new MayflyResponseError('', { status: 408 }), true],
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
    const error = new MayflyResponseError('', { status: 503 });
    const pauses = (random: number) => failures.map((count) => pauseMs(count, error, 60_000, random));
    expect(pauses(0)).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
    // Those who fail together come back one after the other.
    expect(pauses(1)).toEqual([50, 100, 200, 400, 800, 1_000, 1_000, 1_000]);
    for (let n = 0; n < 100; n++) expect(Math.abs(pauseMs(1, error) - 75)).toBeLessThanOrEqual(25);
  });

  test.each([
    new MayflyRateLimitError('', { status: 429, retryAfterMs: 7_000 }),
    new MayflyResponseError('', { status: 503, retryAfterMs: 7_000 }),
  ])('is as long as the server asks, or a bit longer: %o', (error) => {
    expect(pauseMs(1, error, 60_000, 0)).toBe(7_000);
    expect(pauseMs(9, error, 60_000, 1)).toBe(8_750);
  });

  test('is half of the time that is left where the server asks for more', () => {
    const error = new MayflyRateLimitError('', { status: 429, retryAfterMs: 100_000 });
    expect(pauseMs(1, error, 20_000, 0)).toBe(10_000);
    expect(pauseMs(1, error, 10, 0)).toBe(100);
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
