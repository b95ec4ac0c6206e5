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
  arrivals.announce('a');
  arrivals.watch('a', two);
  arrivals.watch('b', other);
  arrivals.announce('a');
  arrivals.leave('a', one);
  arrivals.leave('a', one);
  arrivals.announce('a');
  expect([one.calls, two.calls, other.calls]).toEqual([2, 2, 0]);
  arrivals.leave('a', two);
  arrivals.leave('b', one);
  expect(arrivals.size).toBe(1);
  arrivals.leave('b', other);
  expect(arrivals.size).toBe(0);
});

test('thousands that wait for one inbox are called some at a time, and others come between', async () => {
  const arrivals = new Arrivals();
  const watchers = Array.from({ length: 1_000 }, () => new Counting());
  for (const watcher of watchers) arrivals.watch('a', watcher);
  const called = () => watchers.reduce((sum, { calls }) => sum + calls, 0);
  arrivals.announce('a');
  expect(called()).toBeGreaterThan(0);
  expect(called()).toBeLessThan(1_000);
  while (called() < 1_000) {
    const before = called();
    await new Promise(setImmediate);
    expect(called() - before).toBeLessThanOrEqual(100);
  }
  expect(watchers.every(({ calls }) => calls === 1)).toBe(true);
});
