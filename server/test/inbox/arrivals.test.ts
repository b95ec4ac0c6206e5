import { expect, test } from 'vitest';
import { Arrivals, type Watcher } from '../../src/inbox/arrivals.js';

class Counting implements Watcher {
  calls = 0;

  arrived(): void {
    this.calls += 1;
  }
}

test('who waits is called at each arrival in its inbox, until it leaves', () => {
  const arrivals = new Arrivals();
  const [one, two, other] = [new Counting(), new Counting(), new Counting()];
  arrivals.watch('a', one);
  arrivals.announce(new Set(['a']));
  arrivals.watch('a', two);
  arrivals.watch('b', other);
  arrivals.announce(new Set(['a']));
  arrivals.leave('a', one);
  arrivals.leave('a', one);
  arrivals.announce(new Set(['a']));
  expect([one.calls, two.calls, other.calls]).toEqual([2, 2, 0]);
  arrivals.leave('a', two);
  arrivals.leave('b', one);
  expect(arrivals.size).toBe(1);
  arrivals.leave('b', other);
  expect(arrivals.size).toBe(0);
});

test.each([1, 100, 1_000])('thousands that wait for mail of %i inboxes are called some at a time', async (inboxes) => {
  const arrivals = new Arrivals();
  const watchers = Array.from({ length: 1_000 }, () => new Counting());
  for (const [n, watcher] of watchers.entries()) arrivals.watch(`inbox-${n % inboxes}`, watcher);
  const called = () => watchers.reduce((sum, { calls }) => sum + calls, 0);
  arrivals.announce(new Set(watchers.map((_, n) => `inbox-${n}`)));
  expect(called()).toBeGreaterThan(0);
  expect(called()).toBeLessThan(1_000);
  while (called() < 1_000) {
    const before = called();
    await new Promise(setImmediate);
    expect(called() - before).toBeLessThanOrEqual(100);
  }
  expect(watchers.every(({ calls }) => calls === 1)).toBe(true);
});
