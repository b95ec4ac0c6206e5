import { expect, test } from 'vitest';
import { isMadeName } from '../../protocol/src/made-name.js';
import { newName, rehearsing } from '../src/wait/names.js';

test('every name that is made is known as one, whatever prefixes it has', () => {
  for (const prefixes of [[], ['acme'], ['acme', 'sign-up'], ['x'.repeat(37)], ['7.a+b_c']]) {
    for (let n = 0; n < 1_000; n++) expect(isMadeName(newName(...prefixes))).toBe(true);
  }
});

test('so is one that asks for failures', () => {
  expect(isMadeName(rehearsing(newName('sign-up'), ['451 x2', 'hold']))).toBe(true);
  expect(isMadeName('demo--451x2')).toBe(false);
});

test.each([
  'demo',
  'k3v2x7m5q4tp',
  'swift-otter',
  // Twelve letters that a person may choose.
  'qa-registration',
  'user-notification',
  'big-notification-registration',
  // One character less or more, one that is not of the 32, no hyphen, something behind, and no word of ours.
  'swift-otter-k3v2x7m5q4t',
  'swift-otter-k3v2x7m5q4tpa',
  'swift-otter-k3v2x7m5q4t1',
  'swift-otterk3v2x7m5q4tp',
  'swift-otter-k3v2x7m5q4tp-2',
  'swift-otter-k3v2x7m5q4tp\n',
  'xswift-otter-k3v2x7m5q4tp',
  'swift-whale-k3v2x7m5q4tp',
  // Names as others make them: less random, or random in a form that people also count in.
  'swift-x7k2m9q',
  'test-0000000000000001',
  'c56a4180-65aa-42ec-a945-5fd21dec0538',
])('%j is not one of them', (name) => {
  expect(isMadeName(name)).toBe(false);
});
