import { newName } from 'mayfly-client/api';
import { expect, test } from 'vitest';
import type { Rate } from '../../src/limits/rate-limiter.js';
import { NameBuckets, TriedNames } from '../../src/limits/tried-names.js';

/** 10 names at once, and one more each 10 s. */
const MOST = 10;
const WINDOW_MS = 100_000;
const RATE = { count: MOST, windowMs: WINDOW_MS };

function triedNames(rate: Rate | null, maxNames?: number): TriedNames {
  return new TriedNames(new NameBuckets(rate), rate?.windowMs ?? 0, maxNames);
}

async function tryMany(names: TriedNames, prefix: string, count: number, now = 0): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < count; n++) waits.push(await names.take('a', `${prefix}-${n}`, now));
  return waits;
}

test('so many names may be tried at once, and the next one soon', async () => {
  const names = triedNames(RATE);
  expect(await tryMany(names, 'one', MOST)).toEqual(Array(MOST).fill(0));
  expect(await names.take('a', 'two', 4_000)).toBe(6_000);
  expect(await names.take('b', 'two', 4_000)).toBe(0);
  expect(await names.take('a', 'two', 10_000)).toBe(0);
});

test('a name counts once a window', async () => {
  const names = triedNames(RATE);
  for (let n = 0; n < MOST; n++) expect(await names.take('a', 'same', n)).toBe(0);
  expect(await tryMany(names, 'one', MOST, 1_000)).toEqual([...Array(MOST - 1).fill(0), 9_000]);
  expect(await names.take('a', 'same', WINDOW_MS - 1)).toBe(0);
  expect(await tryMany(names, 'two', MOST, 3 * WINDOW_MS)).toEqual(Array(MOST).fill(0));
  expect(await names.take('a', 'same', 3 * WINDOW_MS)).toBe(10_000);
});

test('names that the client made up never count, whatever prefix they have', async () => {
  const names = triedNames(RATE);
  for (let n = 0; n < 10 * MOST; n++) {
    expect(await names.take('a', newName(n % 2 ? 'sign-up' : undefined), 0)).toBe(0);
  }
  expect(await tryMany(names, 'one', MOST + 1)).toEqual([...Array(MOST).fill(0), 10_000]);
});

test('a name that is asked for again at the same moment counts once', async () => {
  const names = triedNames(RATE);
  await Promise.all(Array.from({ length: 3 }, () => names.take('a', 'same', 0)));
  expect(await tryMany(names, 'one', MOST)).toEqual([...Array(MOST - 1).fill(0), 10_000]);
});

test('a name that has shown mail does not count, once', async () => {
  const names = triedNames(RATE);
  await tryMany(names, 'one', MOST);
  await names.found('a', 'one-3', 1_000);
  await names.found('a', 'one-3', 1_000);
  await names.found('a', 'never tried', 1_000);
  await names.found('b', 'one-4', 1_000);
  expect(await names.take('a', 'one-3', 1_000)).toBe(0);
  expect(await names.take('a', 'two', 1_000)).toBe(0);
  expect(await names.take('a', 'three', 1_000)).toBe(9_000);
});

test('a name that another client has tried counts all the same', async () => {
  const names = triedNames(RATE);
  for (let n = 0; n < MOST; n++) await names.take('b', `one-${n}`, 0);
  expect(await tryMany(names, 'one', MOST)).toEqual(Array(MOST).fill(0));
  expect(await names.take('a', 'two', 0)).toBe(10_000);
});

test('two hundred thousand names are remembered, and then the first of them counts again', async () => {
  let counted = 0;
  const take = () => {
    counted += 1;
    return 0;
  };
  const names = new TriedNames({ take, giveBack: () => {} }, WINDOW_MS);
  for (let n = 0; n < 200_000; n++) await names.take('a', String(n), 0);
  await names.take('a', '0', 0);
  expect(counted).toBe(200_000);
  await names.take('a', 'one more', 0);
  await names.take('a', '0', 0);
  expect(counted).toBe(200_002);
});

test('without a limit all names may be tried', async () => {
  const names = triedNames(null);
  expect(await tryMany(names, 'one', 1_000)).toEqual(Array(1_000).fill(0));
});

test('a name that is forgotten for want of memory counts again, and lifts no limit', async () => {
  const names = triedNames(RATE, 3);
  await tryMany(names, 'one', 5);
  expect(await names.take('a', 'one-4', 0)).toBe(0);
  expect(await names.take('a', 'one-0', 0)).toBe(0);
  expect(await tryMany(names, 'two', 5)).toEqual([0, 0, 0, 0, 10_000]);
});
