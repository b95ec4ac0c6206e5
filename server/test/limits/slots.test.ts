import { expect, test } from 'vitest';
import { Slots } from '../../src/limits/slots.js';

const take = (slots: Slots, client: string): (() => void) => {
  const free = slots.take(client);
  if (typeof free === 'string') throw new Error(free);
  return free;
};

test('a client has so many, and no other suffers', () => {
  const slots = new Slots({ total: 10, perClient: 2 });
  const free = take(slots, 'a');
  take(slots, 'a');
  expect(slots.take('a')).toBe('client-full');
  take(slots, 'b');
  free();
  take(slots, 'a');
  expect(slots.take('a')).toBe('client-full');
});

test('there are so many in all', () => {
  const slots = new Slots({ total: 2, perClient: 2 });
  const free = take(slots, 'a');
  take(slots, 'b');
  expect(slots.take('c')).toBe('all-taken');
  free();
  take(slots, 'c');
  expect(slots.take('d')).toBe('all-taken');
});

test('what the client can change itself goes first', () => {
  const slots = new Slots({ total: 1, perClient: 1 });
  take(slots, 'a');
  expect(slots.take('a')).toBe('client-full');
});

test('a slot is freed once', () => {
  const slots = new Slots({ total: 2, perClient: 2 });
  const free = take(slots, 'a');
  take(slots, 'a');
  free();
  free();
  take(slots, 'a');
  expect(slots.take('a')).toBe('client-full');
});
