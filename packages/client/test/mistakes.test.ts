import { afterAll, describe, expect, test } from 'vitest';
import { MISTAKES, messageOf, startFor } from './mistakes.js';

/** The service for the mistakes whose messages do not depend on other traffic. */
const common = await startFor();
afterAll(() => common.stop());

const isAlone = ({ beside, options }: (typeof MISTAKES)[number]) => beside !== undefined || options !== undefined;

describe.concurrent('the error message for a common mistake', () => {
  test.each(MISTAKES)('explains $name', { timeout: 120_000 }, async (mistake) => {
    await using own = isAlone(mistake) ? await startFor(mistake) : null;
    expect(await messageOf(mistake, own ?? common)).toBe(mistake.says);
  });
});
