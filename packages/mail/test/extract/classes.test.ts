import { describe, expect, test } from 'vitest';
import { readContents } from '../../src/contents.js';
import { extract } from '../../src/extract/extraction.js';
import { parseMessage } from '../../src/mime/parse.js';
import { classRates } from '../corpus/class-rates.js';
import { loadClasses, loadSetAsideClasses } from '../corpus/load.js';

/** What each class must reach, in per cent. */
const FLOOR = 90;

/** What the half of a class must reach that the rules were made without, in per cent. */
const SET_ASIDE_FLOOR = 85;

const classes = await loadClasses();
const setAside = await loadSetAsideClasses();
const rates = classRates(classes, { extract, parseMessage, readContents });

test('there are classes, each in many languages', () => {
  expect(classes.length).toBeGreaterThanOrEqual(14);
  for (const { cases } of classes) {
    expect(cases.length).toBeGreaterThanOrEqual(16);
    expect(new Set(cases.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  }
});

test('no deep link is a magicLink', () => {
  const cases = [...classes, ...setAside].filter(({ name }) => name === '20-deep-links').flatMap(({ cases }) => cases);
  expect(cases.length).toBeGreaterThanOrEqual(30);
  for (const { message } of cases) expect(extract(parseMessage(message)).magicLink ?? 'https:').toMatch(/^https?:/);
});

describe('the rate of a class is at or above the floor', () => {
  test.each(rates.map((rate) => [rate.name, rate] as const))('%s', (_, { right, wrong }) => {
    const percent = (100 * right) / (right + wrong.length);
    const failed = wrong.map(({ place, expected, found }) => `${place}: expected ${expected}, found ${found}`);
    expect(percent, failed.join('\n')).toBeGreaterThanOrEqual(FLOOR);
  });
});

describe('the half of a class that was set aside', () => {
  const asideRates = classRates(setAside, { extract, parseMessage, readContents });

  test('has the same classes', () => {
    expect(setAside.map(({ name, field }) => [name, field])).toEqual(classes.map(({ name, field }) => [name, field]));
  });

  // Does not print the wrong ones: a rule made for one of them would defeat their purpose.
  test.each(asideRates.map((rate) => [rate.name, rate] as const))('%s', (_, { right, wrong }) => {
    const percent = (100 * right) / (right + wrong.length);
    expect(percent).toBeGreaterThanOrEqual(SET_ASIDE_FLOOR);
  });
});
