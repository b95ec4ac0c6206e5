import { describe, expect, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { parseMessage } from '../../src/mime/parse.js';
import { loadCorpus } from '../corpus/load.js';
import { isBelowFloor, mutationRates } from '../corpus/mutations/rates.js';

/** Always the same mutants: the whole corpus takes two seconds. `npm run corpus -- --mutate --seed 2` makes others. */
const SEED = 1;
const cases = await loadCorpus();
const rates = mutationRates(cases, { seed: SEED }, { extract, parseMessage });

describe('keeps the results of enough messages under each mutation', () => {
  test.each(rates.map((rate) => [rate.name, rate] as const))('%s', (name, rate) => {
    const broken = rate.broken.map(({ place, wrong }) => `${place}: ${JSON.stringify(wrong)}`);
    expect(isBelowFloor(rate), `npm run corpus -- --mutate ${name} --all\n${broken.join('\n')}`).toBe(false);
    expect(rate.held + broken.length).toBeGreaterThanOrEqual(50);
  });
});
