import { beforeEach, expect, test } from 'vitest';
import { HeldBytes } from '../../src/fairness/client-memory.js';

const BOUNDS = { total: 100, perClient: 40 };

let held: HeldBytes;
/** What was cut, in its order. */
let cut: string[];

beforeEach(() => {
  held = new HeldBytes(BOUNDS);
  cut = [];
});

/** Holds bytes for a client under a name. Returns what changes how many. */
function hold(client: string, name: string, bytes: number): (bytes: number) => void {
  const key = {};
  const set = (bytes: number) => held.set(key, { client, bytes, cut: () => cut.push(name) });
  set(bytes);
  return set;
}

test('a client is full once it has so much, whatever it is held for', () => {
  const first = hold('a', 'first', 30);
  hold('a', 'second', 10);
  expect([held.isFullFor('a'), held.isFullFor('b'), held.of('a')]).toEqual([true, false, 40]);
  first(29);
  expect([held.isFullFor('a'), held.of('a')]).toEqual([false, 39]);
});

test('where all have more than they may, the one that has most loses what was held first, until it is enough', () => {
  hold('a', 'a1', 20);
  const more = hold('b', 'b1', 20);
  hold('b', 'b2', 25);
  hold('c', 'c1', 35);
  expect(cut).toEqual([]);
  more(21);
  expect(cut).toEqual(['b1']);
  expect(held.of('b')).toBe(25);
  hold('c', 'c2', 21);
  expect(cut).toEqual(['b1', 'c1']);
  // What was cut tells of its end later, which changes nothing.
  more(0);
  expect(held.of('b')).toBe(25);
});

test('who watches is told once of each client that has less, after what was done, and of each that is cut', async () => {
  const freed: string[] = [];
  let cuts = 0;
  held.watch({ freed: (client) => freed.push(client) });
  held.watch({ cut: () => cuts++ });
  const [first, second] = [hold('a', 'a1', 20), hold('a', 'a2', 20)];
  first(0);
  second(10);
  second(11);
  expect(freed).toEqual([]);
  await Promise.resolve();
  expect(freed).toEqual(['a']);
  hold('b', 'b1', 100);
  expect(cuts).toBe(1);
  await Promise.resolve();
  expect(freed).toEqual(['a', 'b']);
});
