import { expect, test } from 'vitest';
import { ADJECTIVES, ANIMALS } from '../../protocol/src/words.js';
import { MayflyOptionError } from '../src/wait/errors.js';
import { checkedName, newName } from '../src/wait/names.js';

const NAMES = Array.from({ length: 5_000 }, () => newName());

test('a name is two words and 12 characters of base32', () => {
  for (const name of NAMES) expect(name).toMatch(/^[a-z]{3,6}-[a-z]{3,6}-[a-z2-7]{12}$/);
  expect(new Set(NAMES).size).toBe(NAMES.length);
});

test('every character and every word is chosen equally often, so that 12 characters are 60 bits', () => {
  const secrets = NAMES.map((name) => name.slice(-12)).join('');
  const words = NAMES.flatMap((name) => name.split('-').slice(0, 2)).join(' ');
  for (const [chosen, choices] of [
    [secrets.split(''), [...'abcdefghijklmnopqrstuvwxyz234567']],
    [words.split(' '), [...ADJECTIVES.split(' '), ...ANIMALS.split(' ')]],
  ] as const) {
    const expected = chosen.length / choices.length;
    for (const choice of choices) {
      const times = chosen.filter((one) => one === choice).length;
      // Six standard deviations: a fair choice is outside once in 500 million times.
      expect(Math.abs(times - expected)).toBeLessThan(6 * Math.sqrt(expected));
    }
  }
});

test('each word list has 16 different words', () => {
  for (const list of [ADJECTIVES, ANIMALS]) expect(new Set(list.split(' ')).size).toBe(16);
});

test('prefixes stand in front', () => {
  expect(newName('acme', 'sign-up')).toMatch(/^acme-sign-up-[a-z]+-[a-z]+-[a-z2-7]{12}$/);
  expect(newName('', 'x')).toMatch(/^x-[a-z]+-[a-z]+-[a-z2-7]{12}$/);
});

test.each(['demo', 'a', 'a.b', 'a+b_c-d', '7', 'x'.repeat(64)])('%s is a name', (name) => {
  expect(checkedName(name)).toBe(name);
});

test('upper case is the same as lower case', () => {
  expect(checkedName('Demo')).toBe('demo');
});

test.each(['', '.a', 'a.', 'a..b', 'a b', 'a@b', 'ä', 'a/b', '\u212A', 'x'.repeat(65), 'a\n'])('%j is none', (name) => {
  expect(() => checkedName(name)).toThrow(MayflyOptionError);
});

test('a prefix that makes no name is refused, whatever the words are', () => {
  expect(() => newName('Sign up')).toThrow(/^"Sign up" is not an inbox name/);
  for (let n = 0; n < 200; n++) {
    expect(newName('x'.repeat(37)).length).toBeLessThanOrEqual(64);
    expect(() => newName('x'.repeat(38))).toThrow(MayflyOptionError);
  }
  expect(() => newName('x'.repeat(20), 'x'.repeat(17))).toThrow('a prefix may have 37 characters at most');
});
