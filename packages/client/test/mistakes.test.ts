import { describe, expect, test } from 'vitest';
import { MISTAKES, messageOf } from './mistakes.js';

describe.concurrent('the error message for a common mistake', () => {
  test.each(MISTAKES)('explains $name', { timeout: 120_000 }, async (mistake) => {
    expect(await messageOf(mistake, false)).toBe(mistake.says);
  });
});
