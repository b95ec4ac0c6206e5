import { describe, expect, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { parseMessage } from '../../src/mime/parse.js';
import { loadCorpus } from '../corpus/load.js';
import { isBelowFloor, mutationRates } from '../corpus/mutations/rates.js';

/** A fixed seed, so the mutations are always the same. `npm run corpus -- --mutate --seed 2` generates others. */
const SEED = 1;
const cases = await loadCorpus();
const rates = mutationRates(cases, { seed: SEED }, { extract, parseMessage });

describe('enough results of extract() stay correct after the mutation', () => {
  test.each(rates.map((rate) => [rate.name, rate] as const))('%s', (name, rate) => {
    const broken = rate.broken.map(({ place, wrong }) => `${place}: ${JSON.stringify(wrong)}`);
    expect(isBelowFloor(rate), `npm run corpus -- --mutate ${name} --all\n${broken.join('\n')}`).toBe(false);
    expect(rate.held + broken.length).toBeGreaterThanOrEqual(50);
  });
});
