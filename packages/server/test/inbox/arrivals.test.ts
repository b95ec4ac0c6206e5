import { expect, test } from 'vitest';
import { Arrivals, type Watcher } from '../../src/inbox/wait/arrivals.js';

/** A store that nobody shares. */
const ALONE = { watch: () => () => {}, hasToldAll: () => true };

class Counting implements Watcher {
  calls = 0;

  arrived(): void {
    this.calls += 1;
  }
}

test('who waits is called at each arrival in its inbox, until it leaves', () => {
  const arrivals = new Arrivals(ALONE);
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
  const arrivals = new Arrivals(ALONE);
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

test('mail of other processes is announced to all who wait for it, once, while somebody does', async () => {
  const watched = new Map<string, () => void>();
  const store = {
    hasToldAll: () => true,
    watch(inbox: string, wake: () => void) {
      expect(watched.has(inbox)).toBe(false);
      watched.set(inbox, wake);
      return () => void watched.delete(inbox);
    },
  };
  const arrivals = new Arrivals(store);
  const [one, two, other] = [new Counting(), new Counting(), new Counting()];
  arrivals.watch('a', one);
  arrivals.watch('a', two);
  arrivals.watch('b', other);
  for (let again = 0; again < 3; again++) watched.get('a')?.();
  await new Promise(setImmediate);
  expect([one.calls, two.calls, other.calls]).toEqual([1, 1, 0]);
  arrivals.leave('a', one);
  watched.get('a')?.();
  watched.get('b')?.();
  await new Promise(setImmediate);
  expect([one.calls, two.calls, other.calls]).toEqual([1, 2, 1]);
  arrivals.leave('a', two);
  expect([...watched.keys()]).toEqual(['b']);
  arrivals.watch('a', one);
  watched.get('a')?.();
  await new Promise(setImmediate);
  expect(one.calls).toBe(2);
});
