import { beforeEach, describe, expect, test } from 'vitest';
import { HeldBytes, LEAST_BYTES_PER_SECOND, type Progress } from '../../src/fairness/client-memory.js';
import { ManualClock } from '../manual-clock.js';

const BOUNDS = { total: 100, perClient: 40 };

let clock: ManualClock;
let held: HeldBytes;
/** What was cut, in its order. */
let cut: string[];

beforeEach(() => {
  clock = new ManualClock();
  held = new HeldBytes(clock, BOUNDS);
  cut = [];
});

/** Holds bytes for a client under a name. Returns what changes how many. */
function hold(client: string, name: string, bytes: number, progress: Progress = {}) {
  const key = {};
  const set = (bytes: number, progress: Progress = {}) =>
    held.set(key, { client, bytes, ...progress, cut: () => cut.push(name) });
  set(bytes, progress);
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

describe('beside many that stand still, and have as much as there is,', () => {
  /** What a client moves in a second that is just fast enough. */
  const SECOND = { moved: LEAST_BYTES_PER_SECOND };

  beforeEach(async () => {
    for (let n = 1; n <= 10; n += 1) hold(`still ${n}`, `still ${n}`, 10, { moved: 10 });
    await clock.advance(1);
  });

  test('one that moves is not cut, though it has more', async () => {
    const set = hold('moving', 'moving', 1, SECOND);
    for (let bytes = 2; bytes <= 40; bytes += 1) {
      await clock.advance(999);
      set(bytes, SECOND);
    }
    expect(cut).toEqual(['still 1', 'still 2', 'still 3', 'still 4']);
    expect(held.of('moving')).toBe(40);
  });

  test('one that moves too slowly is cut', async () => {
    const set = hold('slow', 'slow', 1, { moved: 1 });
    for (let bytes = 2; bytes <= 12; bytes += 1) {
      await clock.advance(1_000);
      set(bytes, { moved: LEAST_BYTES_PER_SECOND - 1 });
    }
    await clock.advance(1_000);
    hold('other', 'other', 9);
    expect(cut.at(-1)).toBe('slow');
  });

  test('one that moved a lot at once is spared for a second', async () => {
    hold('burst', 'burst', 12, { moved: 100 * LEAST_BYTES_PER_SECOND });
    await clock.advance(999);
    hold('a', 'a', 9);
    expect(cut).not.toContain('burst');
    await clock.advance(1);
    for (const other of ['b', 'c']) hold(other, other, 9);
    expect(cut.at(-1)).toBe('burst');
  });

  test('one that waits for us is not cut for as long', async () => {
    const set = hold('waiting', 'waiting', 20, { isOwed: true });
    await clock.advance(60_000);
    hold('a', 'a', 9);
    expect(cut).not.toContain('waiting');
    set(20);
    hold('b', 'b', 9);
    expect(cut.at(-1)).toBe('waiting');
  });

  test('one that moves is cut where it has very much more', () => {
    held = new HeldBytes(clock, { total: 100, perClient: 100 });
    for (let n = 1; n <= 20; n += 1) hold(`still ${n}`, `still ${n}`, 1);
    hold('moving', 'moving', 81, SECOND);
    expect(cut).toEqual(['moving']);
  });
});
