import { expect, test } from 'vitest';
import { BoundedMap } from '../src/base/bounded-map.js';

const KEYS = ['a', 'b', 'c', 'd'];

test('the values that were set longest ago leave for a new one', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect(KEYS.map((key) => map.get(key))).toEqual([3, undefined, 4, undefined]);
});

test('as many leave as the weight of the new one needs', () => {
  const map = new BoundedMap<string, string>(10, ({ length }) => length);
  for (const key of ['a', 'b', 'c']) map.set(key, 'xxx');
  map.set('d', 'xxxxxx');
  expect(KEYS.filter((key) => map.has(key))).toEqual(['c', 'd']);
});

test('a value in the place of another weighs alone, and a deleted one nothing', () => {
  const map = new BoundedMap<string, string>(10, ({ length }) => length);
  map.set('a', 'xxxxxxxx');
  map.set('a', 'xx');
  map.set('b', 'xxxxxxxx');
  expect(map.size).toBe(2);
  expect([map.delete('b'), map.delete('b')]).toEqual([true, false]);
  map.set('c', 'xxxxxxxx');
  expect(KEYS.filter((key) => map.has(key))).toEqual(['a', 'c']);
  map.clear();
  map.set('d', 'xxxxxxxxxx');
  expect(map.size).toBe(1);
});

test('a value that is heavier than all the room is not kept, takes its predecessor along, and no other', () => {
  const map = new BoundedMap<string, string>(10, ({ length }) => length);
  map.set('a', 'x');
  map.set('b', 'x');
  map.set('b', 'xxxxxxxxxxx');
  expect(KEYS.filter((key) => map.has(key))).toEqual(['a']);
});
