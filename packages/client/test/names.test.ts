import { expect, test } from 'vitest';
import { inboxName } from '../../protocol/src/inbox-name.js';
import { isMadeName } from '../../protocol/src/made-name.js';
import { ADJECTIVES, ANIMALS } from '../../protocol/src/words.js';
import { Mayfly, MayflyOptionError } from '../src/index.js';
import { newName, simulating } from '../src/wait/names.js';

const NAMES = Array.from({ length: 5_000 }, () => newName());

test('createInbox generates names of two words and 12 random base32 characters, all equally likely (60 bits)', () => {
  for (const name of NAMES) expect(name).toMatch(/^[a-z]{3,6}-[a-z]{3,6}-[a-z2-7]{12}$/);
  expect(new Set(NAMES).size).toBe(NAMES.length);
  const secrets = NAMES.map((name) => name.slice(-12)).join('');
  const words = NAMES.flatMap((name) => name.split('-').slice(0, 2)).join(' ');
  for (const [chosen, choices] of [
    [secrets.split(''), [...'abcdefghijklmnopqrstuvwxyz234567']],
    [words.split(' '), [...ADJECTIVES.split(' '), ...ANIMALS.split(' ')]],
  ] as const) {
    const expected = chosen.length / choices.length;
    for (const choice of choices) {
      const times = chosen.filter((one) => one === choice).length;
      // Within six standard deviations; a fair choice exceeds them once in 500 million times.
      expect(Math.abs(times - expected)).toBeLessThan(6 * Math.sqrt(expected));
    }
  }
});

test('createInbox rejects an invalid prefix and a prefix of more than 37 characters', () => {
  expect(() => newName('Sign up')).toThrow(/^"Sign up" is not an inbox name/);
  expect(newName('x'.repeat(37)).length).toBeLessThanOrEqual(64);
  expect(() => newName('x'.repeat(38))).toThrow(MayflyOptionError);
  expect(() => newName('x'.repeat(20), 'x'.repeat(17))).toThrow('a prefix has at most 37 characters');
});

test('isMadeName recognizes every generated name, also with a prefix and with simulated failures', () => {
  for (const prefixes of [[], ['acme'], ['acme', 'sign-up'], ['x'.repeat(37)], ['7.a+b_c']]) {
    for (let n = 0; n < 1_000; n++) expect(isMadeName(newName(...prefixes))).toBe(true);
  }
  expect(isMadeName(simulating(newName('sign-up'), ['451 x2', 'hold']))).toBe(true);
});

test.each([
  // Names that a person may choose.
  ...['demo', 'k3v2x7m5q4tp', 'swift-otter', 'qa-registration', 'big-notification-registration', 'demo--451x2'],
  // Generated names with one character less or more, one outside base32, no hyphen, a suffix, or an unknown word.
  ...['swift-otter-k3v2x7m5q4t', 'swift-otter-k3v2x7m5q4tpa', 'swift-otter-k3v2x7m5q4t1', 'swift-otterk3v2x7m5q4tp'],
  ...['swift-otter-k3v2x7m5q4tp-2', 'swift-otter-k3v2x7m5q4tp\n', 'xswift-otter-k3v2x7m5q4tp'],
  'swift-whale-k3v2x7m5q4tp',
  // Names from other generators: less random, or in a form that people also use for numbering.
  ...['swift-x7k2m9q', 'test-0000000000000001', 'c56a4180-65aa-42ec-a945-5fd21dec0538'],
])('isMadeName rejects %j', (name) => {
  expect(isMadeName(name)).toBe(false);
});

test.each(['A.b_C+d-9', 'a', '7', 'x'.repeat(64)])('%s is a valid inbox name, which becomes lower case', (text) => {
  expect([inboxName(text), new Mayfly().inbox(text).name]).toEqual([text.toLowerCase(), text.toLowerCase()]);
});

test.each([
  ...['', 'x'.repeat(65), '.a', 'a.', 'a..b', 'a b', 'a/b', 'ä', 'a\u0000', 'a\n', '\u212aelvin', 'a%41', '"a"'],
])('%j is rejected as an inbox name', (text) => {
  expect(inboxName(text)).toBeNull();
  expect(() => new Mayfly().inbox(text)).toThrow(MayflyOptionError);
});
