import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limiterOf } from '../../src/limits/rate-limiter.js';

const WINDOW_MS = 10_000;

describe('a rate limit', () => {
  test('allows as many uses in a window as its count, then refuses each use with the time to wait', async () => {
    const limiter = limiterOf({ count: 20, windowMs: WINDOW_MS });
    for (let use = 0; use < 20; use++) expect(await limiter.take('a', use * 100)).toBe(0);
    expect(await limiter.take('a', 2_000)).toBe(8_000);
    expect(await limiter.take('a', 9_999)).toBe(1);
    expect(await limiter.take('a', 10_000)).toBe(0);
    expect(await limiter.take('a', 10_000)).toBe(100);
  });

  test('allows at most its count in any window, and the whole count again one window after the last use', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 600 }),
        async (count, gaps) => {
          const limiter = limiterOf({ count, windowMs: WINDOW_MS });
          const allowed: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            if ((await limiter.take('a', now)) === 0) allowed.push(now);
            expect(allowed.filter((at) => at > now - WINDOW_MS).length).toBeLessThanOrEqual(count);
          }
          for (let use = 0; use < count; use++) expect(await limiter.take('a', now + WINDOW_MS)).toBe(0);
        },
      ),
    );
  });
});
