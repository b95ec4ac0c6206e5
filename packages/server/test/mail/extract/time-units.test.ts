import { expect, test } from 'vitest';
import { beginsWithSharedUnit, beginsWithTimeUnit, folded } from '../../../src/mail/extract/code/time-units.js';
import { SHARED_UNITS, TIME_UNITS } from '../../../src/mail/words/words.js';

const entries = [...TIME_UNITS, ...SHARED_UNITS];
const letters = new Set(entries.join('').replaceAll('*', ''));
const basicPlane = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join('');

test('letters are the same in any case, as an expression compares them', () => {
  for (const letter of letters) {
    const same = Array.from(basicPlane).filter((character) => folded(character) === folded(letter));
    expect(same.join('')).toBe(basicPlane.match(new RegExp(letter, 'giu'))?.join(''));
  }
});

test('every unit makes a number before it a duration, behind a space or a hyphen too, in any case', () => {
  for (const entry of entries) {
    const word = entry.replace('*', '');
    for (const joint of ['', ' ', '\u00a0', '-']) {
      expect([entry, joint, beginsWithTimeUnit(`${joint}${word}`)]).toEqual([entry, joint, true]);
      expect([entry, joint, beginsWithTimeUnit(`${joint}${word.toUpperCase()}.`)]).toEqual([entry, joint, true]);
    }
  }
});

test('only a shared unit may be another word behind a code', () => {
  expect(SHARED_UNITS.map((unit) => beginsWithSharedUnit(` ${unit} `))).toEqual(SHARED_UNITS.map(() => true));
  expect(TIME_UNITS.filter((unit) => beginsWithSharedUnit(` ${unit.replace('*', '')} `))).toEqual([]);
});

test.each([
  ['a longer word', ' minus', false],
  ['a beginning of words', ' minutely', true],
  ['two spaces', '  minutes', false],
  ['a word of another kind', ' days’', true],
  ['a letter with a mark', 'h\u0301', false],
  ['the beginning of a unit', ' hou', false],
  ['nothing', '', false],
  ['a full stop', '. Minutes', false],
])('%s behind a number', (_, after, isDuration) => {
  expect(beginsWithTimeUnit(after)).toBe(isDuration);
});
