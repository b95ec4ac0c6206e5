import { describe, expect, test } from 'vitest';
import { MISTAKES, messageOf, startFor } from './mistakes.js';

const shared = MISTAKES.filter(({ beside }) => beside !== null);

/** Each test waits for seconds, so they run concurrently. */
describe.concurrent('with other workers on the same service, the error message for a common mistake', () => {
  test.each(shared)('explains $name', async (mistake) => {
    await using service = await startFor(mistake);
    expect(await messageOf(mistake, service, true)).toBe(mistake.beside ?? mistake.says);
  });
});
