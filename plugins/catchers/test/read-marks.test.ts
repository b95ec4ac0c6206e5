import { expect, test } from 'vitest';
import { ReadMarks } from '../src/message-notes.js';

const messages = (...keys: readonly number[]) => keys.map((key) => ({ key, emails: [] }));

test('a message is read from its mark on, until that is taken away', () => {
  const marks = new ReadMarks();
  expect(marks.unread(messages(1, 2))).toBe(2);
  marks.mark(1, true);
  expect([marks.has(1), marks.has(2), marks.unread(messages(1, 2))]).toEqual([true, false, 1]);
  marks.mark(1, false);
  expect([marks.has(1), marks.unread(messages(1, 2))]).toEqual([false, 2]);
});

test('of too many marks those are forgotten that were made first', () => {
  const marks = new ReadMarks();
  for (let key = 0; key < 50_000; key += 1) marks.mark(key, true);
  marks.mark(0, true);
  expect([marks.has(0), marks.has(1)]).toEqual([true, true]);
  marks.mark(50_000, true);
  expect([marks.has(0), marks.has(1), marks.has(50_000)]).toEqual([true, false, true]);
});
