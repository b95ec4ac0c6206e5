import { describe, expect, test } from 'vitest';
import { MISTAKES, messageOf } from './mistakes.js';

const shared = MISTAKES.filter(({ beside }) => beside !== null);

/** Each waits for seconds. */
describe.concurrent('the message of a mistake, next to other workers', () => {
  test.each(shared)('$name', async (mistake) => {
    expect(await messageOf(mistake, true)).toBe(mistake.beside ?? mistake.says);
  });
});
