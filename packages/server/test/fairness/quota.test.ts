import { describe, expect, test } from 'vitest';
import { Quota, scarcity } from '../../src/fairness/quota.js';

const take = (quota: Quota, client: string): (() => void) => {
  const free = quota.take(client);
  if (typeof free === 'string') throw new Error(free);
  return free;
};

test('a client has so many, and no other suffers', () => {
  const quota = new Quota({ total: 10, perClient: 2 });
  const free = take(quota, 'a');
  take(quota, 'a');
  expect(quota.take('a')).toBe('client-full');
  take(quota, 'b');
  free();
  take(quota, 'a');
  expect(quota.take('a')).toBe('client-full');
});

test('there are so many in all', () => {
  const quota = new Quota({ total: 2, perClient: 2 });
  const free = take(quota, 'a');
  take(quota, 'b');
  expect(quota.take('c')).toBe('all-taken');
  free();
  take(quota, 'c');
  expect(quota.take('d')).toBe('all-taken');
});

test('what the client can change itself goes first', () => {
  const quota = new Quota({ total: 1, perClient: 1 });
  take(quota, 'a');
  expect(quota.take('a')).toBe('client-full');
});

test('a slot is freed once', () => {
  const quota = new Quota({ total: 2, perClient: 2 });
  const free = take(quota, 'a');
  take(quota, 'a');
  free();
  free();
  take(quota, 'a');
  expect(quota.take('a')).toBe('client-full');
});

describe('where half are taken', () => {
  const bounds = { total: 20, perClient: 8 };

  test('a client gets no more than few: the rest is for those that have fewer', () => {
    const quota = new Quota({ ...bounds, ...scarcity(bounds, 2) });
    for (let n = 0; n < 8; n++) take(quota, 'a');
    expect(quota.take('a')).toBe('client-full');
    const frees = [take(quota, 'b'), take(quota, 'b')];
    expect(quota.take('b')).toBe('all-taken');
    for (const client of ['c', 'd', 'e', 'f', 'g']) {
      take(quota, client);
      take(quota, client);
      expect(quota.take(client)).toBe('all-taken');
    }
    expect(quota.take('h')).toBe('all-taken');
    for (const free of frees) free();
    take(quota, 'h');
  });

  test('nothing is kept back where one client may have more than half', () => {
    const quota = new Quota({ total: 4, perClient: 3, ...scarcity({ total: 4, perClient: 3 }, 1) });
    for (let n = 0; n < 3; n++) take(quota, 'a');
    expect(quota.take('a')).toBe('client-full');
  });
});
