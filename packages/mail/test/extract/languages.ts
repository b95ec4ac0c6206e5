import { readdirSync } from 'node:fs';

/** The languages with a vocabulary file. */
export const LANGUAGES = readdirSync(new URL('../../src/words', import.meta.url))
  .filter((name) => /^[a-z]{2,3}\.txt$/.test(name) && name !== 'mul.txt')
  .map((name) => name.replace('.txt', ''))
  .sort();
