import { expect, test } from 'vitest';
import { isShared, unitBehind } from '../../src/extract/code/time-units.js';
import { extract } from '../../src/extract/extraction.js';
import { SHARED_UNITS, TIME_UNITS } from '../../src/words/words.js';

test('every unit makes a number before it a duration, behind a space or a hyphen too', () => {
  for (const entry of [...TIME_UNITS, ...SHARED_UNITS]) {
    for (const joint of ['', ' ', '\u00a0', '-']) {
      expect([entry, joint, unitBehind(`${joint}${entry.replace('*', '')}.`)]).not.toEqual([entry, joint, null]);
    }
  }
});

test('only a shared unit may be another word behind a code', () => {
  expect(SHARED_UNITS.map((unit) => isShared(unitBehind(` ${unit} `)))).toEqual(SHARED_UNITS.map(() => true));
  expect(TIME_UNITS.filter((unit) => isShared(unitBehind(` ${unit.replace('*', '')} `)))).toEqual([]);
});

test('a unit in capitals makes a number a duration', () => {
  for (const unit of ['MINUTES', 'Std.', 'ΛΕΠΤΆ', 'МИНУТ', 'DAKİKA']) {
    expect(extract({ subject: 'Your code', text: `Your code expires in 1440 ${unit}`, html: null }).otp).toBeNull();
  }
});

test.each([
  ['a longer word', ' minus', null],
  ['a beginning of words', ' minutely', 'minute*'],
  ['two spaces', '  minutes', null],
  ['a word of another kind', ' days’', 'days'],
  ['a letter with a mark', 'h\u0301', null],
  ['the beginning of a unit', ' hou', null],
  ['nothing', '', null],
  ['a full stop', '. Minutes', null],
])('%s behind a number', (_, after, unit) => {
  expect(unitBehind(after)).toBe(unit);
});
