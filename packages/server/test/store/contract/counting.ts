import { describe, expect, test } from 'vitest';
import type { CountedWindow, SharedCounts } from '../../../src/limits/limits.js';

/** A window longer than any test. */
const LONG: CountedWindow = { count: 20, windowMs: 600_000, batchSize: 1 };

/** Tests of counts that two instances on the same store share. */
export function describeCounting(open: (url: string) => Promise<SharedCounts>, newUrl: () => Promise<string>): void {
  async function two(): Promise<[SharedCounts, SharedCounts]> {
    const url = await newUrl();
    return [await open(url), await open(url)];
  }

  describe('shared counts', () => {
    test('limit the uses of all nodes together in a window, and return the time to wait beyond the limit', async () => {
      const counts = await two();
      const waits = await Promise.all(Array.from({ length: 50 }, (_, n) => counts[n % 2 ? 1 : 0].use('a', LONG)));
      expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(20);
      for (const waitMs of waits.filter((one) => one > 0)) {
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(LONG.windowMs);
      }
      expect(await counts[0].use('b', LONG)).toBe(0);
    });

    test.each([1, 4])('with batches of %i uses limit the uses of all nodes together in any window', async (batch) => {
      const counts = await two();
      const window = { count: 8, windowMs: 150, batchSize: batch };
      const allowed: { from: number; to: number }[] = [];
      let refused = 0;
      const use = async (own: SharedCounts) => {
        while (allowed.length < 40) {
          const from = performance.now();
          if ((await own.use('a', window)) === 0) allowed.push({ from, to: performance.now() });
          else refused += 1;
        }
      };
      await Promise.all([use(counts[0]), use(counts[1]), use(counts[1])]);
      expect(refused).toBeGreaterThan(0);
      for (const { from } of allowed) {
        // Redis counts whole milliseconds, so a window may be up to 2 ms shorter.
        const within = allowed.filter((one) => one.from >= from && one.to < from + window.windowMs - 2);
        expect(within.length).toBeLessThanOrEqual(window.count);
      }
    });

    test('do not count a refused use', async () => {
      const [one, other] = await two();
      let refused = 0;
      // Nothing is refused if a busy machine suspends the process until the window is over. Then tries a longer window.
      for (let windowMs = 200; refused === 0 && windowMs < LONG.windowMs; windowMs *= 4) {
        const [name, window] = [`in ${windowMs} ms`, { count: 1, windowMs, batchSize: 1 }];
        expect(await one.use(name, window)).toBe(0);
        const until = performance.now() + windowMs + 30_000;
        while ((await other.use(name, window)) > 0) {
          refused += 1;
          expect(performance.now()).toBeLessThan(until);
        }
      }
      expect(refused).toBeGreaterThan(0);
    });

    test('count repeated uses of a name as one until the name is released', async () => {
      const [one, other] = await two();
      const window = { ...LONG, count: 3 };
      for (const name of ['x', 'y', 'x', 'z', 'y']) expect(await one.useName('a', name, window)).toBe(0);
      for (const name of ['x', 'y', 'z']) expect(await other.useName('a', name, window)).toBe(0);
      expect(await other.useName('a', 'w', window)).toBeGreaterThan(0);
      expect(await other.useName('b', 'w', window)).toBe(0);
      await other.giveBackName('a', 'y');
      await other.giveBackName('a', 'never counted');
      expect(await one.useName('a', 'w', window)).toBe(0);
      expect(await one.useName('a', 'y', window)).toBeGreaterThan(0);
    });

    test('limit how many places all nodes hold together, and allow a released place to be held again', async () => {
      const counts = await two();
      const held = await Promise.all(
        Array.from({ length: 10 }, (_, n) => counts[n % 2 ? 1 : 0].hold('a', `holder ${n}`, 4, LONG.windowMs)),
      );
      expect(held.filter(Boolean)).toHaveLength(4);
      expect(await counts[1].hold('b', 'holder', 4, LONG.windowMs)).toBe(true);
      await counts[1].free('a', `holder ${held.indexOf(true)}`);
      expect(await counts[0].hold('a', 'next', 4, LONG.windowMs)).toBe(true);
      expect(await counts[0].hold('a', 'one more', 4, LONG.windowMs)).toBe(false);
    });

    test('free a place whose lease is not renewed in time, so that another holder can take it', async () => {
      const [one, other] = await two();
      expect(await one.hold('a', 'dies', 2, 300)).toBe(true);
      expect(await one.hold('a', 'lives', 2, 300)).toBe(true);
      await one.renew('a', ['lives'], LONG.windowMs);
      await expect.poll(() => other.hold('a', 'next', 2, LONG.windowMs)).toBe(true);
      expect(await other.hold('a', 'one more', 2, LONG.windowMs)).toBe(false);
    });
  });
}
