import { describe, expect, test } from 'vitest';
import { readContents } from '../../src/contents.js';
import { extract } from '../../src/extract/extraction.js';
import { parseMessage } from '../../src/mime/parse.js';
import { classRates } from '../corpus/class-rates.js';
import { loadClasses, loadSetAsideClasses } from '../corpus/load.js';

/** The minimum percentage of correct results for each class. */
const FLOOR = 90;

/** The minimum percentage for the half of a class that was not used to develop the rules. */
const SET_ASIDE_FLOOR = 85;

const classes = await loadClasses();
const setAside = await loadSetAsideClasses();
const rates = classRates(classes, { extract, parseMessage, readContents });

test('the corpus has many classes, each in many languages', () => {
  expect(classes.length).toBeGreaterThanOrEqual(14);
  for (const { cases } of classes) {
    expect(cases.length).toBeGreaterThanOrEqual(16);
    expect(new Set(cases.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  }
});

test('no application link such as app://verify is a magicLink', () => {
  const cases = [...classes, ...setAside].filter(({ name }) => name === '20-deep-links').flatMap(({ cases }) => cases);
  expect(cases.length).toBeGreaterThanOrEqual(30);
  for (const { message } of cases) expect(extract(parseMessage(message)).magicLink ?? 'https:').toMatch(/^https?:/);
});

describe('extraction reaches the required rate for the class', () => {
  test.each(rates.map((rate) => [rate.name, rate] as const))('%s', (_, { right, wrong }) => {
    const percent = (100 * right) / (right + wrong.length);
    const failed = wrong.map(({ place, expected, found }) => `${place}: expected ${expected}, found ${found}`);
    expect(percent, failed.join('\n')).toBeGreaterThanOrEqual(FLOOR);
  });
});

describe('extraction reaches the required rate for the half of a class that was not used to develop the rules', () => {
  const asideRates = classRates(setAside, { extract, parseMessage, readContents });

  test('both halves of the corpus have the same classes with the same fields', () => {
    expect(setAside.map(({ name, field }) => [name, field])).toEqual(classes.map(({ name, field }) => [name, field]));
  });

  // The wrong results are not printed, so that these messages cannot influence the rules.
  test.each(asideRates.map((rate) => [rate.name, rate] as const))('%s', (_, { right, wrong }) => {
    const percent = (100 * right) / (right + wrong.length);
    expect(percent).toBeGreaterThanOrEqual(SET_ASIDE_FLOOR);
  });
});
