import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../src/limits/rate-limiter.js';

const WINDOW_MS = 10_000;

describe('RateLimiter', () => {
  test('allows the count in a window, refuses the next one, and says how long to wait', () => {
    const limiter = new RateLimiter({ count: 20, windowMs: WINDOW_MS });
    for (let use = 0; use < 20; use++) expect(limiter.take('a', use * 100)).toBe(0);
    expect(limiter.take('a', 2_000)).toBe(8_000);
    expect(limiter.take('a', 9_999)).toBe(1);
    expect(limiter.take('a', 10_000)).toBe(0);
    expect(limiter.take('a', 10_000)).toBe(100);
  });

  test('counts each client by itself', () => {
    const limiter = new RateLimiter({ count: 1, windowMs: WINDOW_MS });
    expect(limiter.take('a', 0)).toBe(0);
    expect(limiter.take('b', 0)).toBe(0);
    expect(limiter.take('a', 0)).toBe(WINDOW_MS);
  });

  test('does not count what it refused', () => {
    const limiter = new RateLimiter({ count: 1, windowMs: WINDOW_MS });
    limiter.take('a', 0);
    for (let now = 1; now < WINDOW_MS; now += 7) expect(limiter.take('a', now)).toBeGreaterThan(0);
    expect(limiter.take('a', WINDOW_MS)).toBe(0);
  });

  test('without a rate allows everything', () => {
    const limiter = new RateLimiter(null);
    for (let use = 0; use < 1_000; use++) expect(limiter.take('a', 0)).toBe(0);
  });

  test('a flood of other clients does not lift the limit of one', () => {
    const limiter = new RateLimiter({ count: 2, windowMs: WINDOW_MS }, 10);
    limiter.take('limited', 0);
    limiter.take('limited', 0);
    for (let other = 0; other < 1_000; other++) limiter.take(`other-${other}`, 1);
    expect(limiter.take('limited', 2)).toBe(WINDOW_MS - 2);
  });

  test('refuses newcomers only where every remembered client is at its limit, until the first is free', () => {
    const limiter = new RateLimiter({ count: 1, windowMs: WINDOW_MS }, 3);
    for (const client of ['a', 'b', 'c']) expect(limiter.take(client, 0)).toBe(0);
    expect(limiter.wait('d', 4_000)).toBe(6_000);
    expect(limiter.take('d', 4_000)).toBe(6_000);
    expect(limiter.wait('d', WINDOW_MS)).toBe(0);
    expect(limiter.take('d', WINDOW_MS)).toBe(0);
  });

  test('tells the wait without counting', () => {
    const limiter = new RateLimiter({ count: 1, windowMs: WINDOW_MS });
    for (let ask = 0; ask < 3; ask++) expect(limiter.wait('a', 0)).toBe(0);
    expect(limiter.take('a', 0)).toBe(0);
    for (let ask = 0; ask < 3; ask++) expect(limiter.wait('a', 4_000)).toBe(6_000);
    expect(limiter.wait('a', WINDOW_MS)).toBe(0);
    expect(limiter.wait('b', 0)).toBe(0);
  });

  test('tells the wait of a client that has just used up its last', () => {
    const limiter = new RateLimiter({ count: 2, windowMs: WINDOW_MS });
    limiter.take('a', 0);
    expect(limiter.wait('a', 0)).toBe(0);
    limiter.take('a', 0);
    expect(limiter.wait('a', 0)).toBe(WINDOW_MS);
  });

  test('up to 64 uses a window leave it one by one, and above that in batches, with the last of each', () => {
    for (const [count, batch] of [
      [64, 1],
      [640, 10],
    ] as const) {
      const limiter = new RateLimiter({ count, windowMs: WINDOW_MS });
      for (let use = 0; use < count; use++) limiter.take('a', use);
      expect(limiter.wait('a', WINDOW_MS - 1)).toBe(batch);
    }
  });

  test('remembers a hundred thousand clients, and no more', () => {
    const limiter = new RateLimiter({ count: 1, windowMs: WINDOW_MS });
    for (let client = 0; client < 100_000; client++) expect(limiter.take(String(client), 0)).toBe(0);
    expect(limiter.take('one more', 0)).toBe(WINDOW_MS);
  });

  test('never allows more than the count in any window, and allows it again a window after the last use', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 600 }),
        (count, gaps) => {
          const limiter = new RateLimiter({ count, windowMs: WINDOW_MS });
          const allowed: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            if (limiter.take('a', now) === 0) allowed.push(now);
            expect(allowed.filter((at) => at > now - WINDOW_MS).length).toBeLessThanOrEqual(count);
          }
          for (let use = 0; use < count; use++) expect(limiter.take('a', now + WINDOW_MS)).toBe(0);
        },
      ),
    );
  });
});
