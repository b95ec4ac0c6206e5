import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NameBuckets } from '../../src/limits/tried-names.js';

/** 10 at once, and one more each 100 ms. */
const RATE = { count: 10, windowMs: 1_000 };

function fill(names: NameBuckets, client: string, now = 0): number[] {
  return Array.from({ length: RATE.count }, () => names.take(client, now));
}

describe('a bucket of names', () => {
  test('never lets through more than it holds and what has left it since, and takes after the time that it told', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(steps, (gaps) => {
        const names = new NameBuckets(RATE);
        const allowed: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const waitMs = names.take('a', now);
          if (waitMs > 0) {
            expect(waitMs).toBeLessThanOrEqual(100);
            now += waitMs;
            expect(names.take('a', now)).toBe(0);
          }
          allowed.push(now);
        }
        for (const [n, from] of allowed.entries()) {
          const spent = allowed.slice(n).filter((at) => at <= from + 500);
          expect(spent.length).toBeLessThanOrEqual(RATE.count + 5);
        }
      }),
    );
  });
});

describe('where memory runs out', () => {
  test('the emptiest bucket is forgotten', () => {
    const names = new NameBuckets(RATE, 3);
    fill(names, 'full');
    names.take('some', 0);
    names.take('some', 0);
    names.take('one', 0);
    expect(names.take('new', 0)).toBe(0);
    expect(names.take('full', 0)).toBe(100);
    expect(Array.from({ length: 9 }, () => names.take('some', 0))).toEqual([...Array(8).fill(0), 100]);
  });

  test('a full one never is: a new client waits until one has room', () => {
    const names = new NameBuckets(RATE, 2);
    for (const client of ['a', 'b']) fill(names, client);
    expect(names.take('c', 0)).toBe(100);
    expect(names.take('a', 0)).toBe(100);
    expect(names.take('c', 100)).toBe(0);
  });
});
