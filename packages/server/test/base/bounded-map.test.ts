import { expect, test } from 'vitest';
import { SharedMap, type SharedMapOptions } from '../../src/base/bounded-map.js';

function newMap(options: SharedMapOptions<string>) {
  const map = new SharedMap<string, string>(options);
  return { map, set: (key: string, client: string, bytes = 1) => map.set(key, key, client, bytes) };
}

test('BoundedMap evicts the oldest values of a client that floods it, and keeps the values of other clients', () => {
  const { map, set } = newMap({ maxSize: 5 });
  for (const client of ['a', 'b']) set(`of ${client}`, client);
  for (let n = 0; n < 10; n++) set(`flood ${n}`, 'flood');
  expect(map.newest()).toEqual(['flood 9', 'flood 8', 'flood 7', 'of b', 'of a']);
  expect(map.newest('flood')).toEqual(['flood 9', 'flood 8', 'flood 7']);
});

test('BoundedMap above its byte limit evicts the oldest value of the client with the most bytes', () => {
  const forgotten: string[] = [];
  const { map, set } = newMap({ maxSize: 9, maxBytes: 10, forgotten: (value) => forgotten.push(value) });
  set('large', 'a', 6);
  for (const key of ['b1', 'b2', 'b3']) set(key, 'b');
  map.grow('b1', 2);
  set('as many bytes as fit', 'b', 5);
  expect(forgotten).toEqual(['large']);
  set('one more', 'b');
  expect(forgotten).toEqual(['large', 'b1']);
});

test('BoundedMap never evicts the value that is being set, even if the client that sets it has the most bytes', () => {
  const { map, set } = newMap({ maxSize: 9, maxBytes: 10 });
  for (const client of ['a', 'b']) set(`of ${client}`, client, 8);
  expect(map.newest()).toEqual(['of b']);
});

test('setting a key of a BoundedMap again makes its value the newest, and restarts the time until it expires', () => {
  let now = 0;
  const { map, set } = newMap({ maxSize: 9, keptMs: 10, monotonic: () => now });
  for (const key of ['a', 'b', 'a']) {
    set(key, 'client');
    now += 5;
  }
  expect(map.newest()).toEqual(['a']);
  now += 5;
  expect([map.get('a'), map.newest()]).toEqual([undefined, []]);
});
