import { afterAll, describe, expect, test } from 'vitest';
import { MISTAKES, messageOf, startFor } from './mistakes.js';

/** Serves the mistakes whose messages do not depend on other traffic. */
const common = await startFor();
afterAll(() => common.stop());

const isAlone = ({ beside, options }: (typeof MISTAKES)[number]) => beside !== undefined || options !== undefined;

describe.concurrent('the error message for a common mistake', () => {
  test.each(MISTAKES.filter((mistake) => !isAlone(mistake)))(
    'explains $name',
    { timeout: 120_000 },
    async (mistake) => {
      expect(await messageOf(mistake, common)).toBe(mistake.says);
    },
  );

  test.each(MISTAKES.filter(isAlone))('explains $name', { timeout: 120_000 }, async (mistake) => {
    await using service = await startFor(mistake);
    expect(await messageOf(mistake, service)).toBe(mistake.says);
  });
});
