import { describe, expect, test } from 'vitest';
import { joinFlowed } from '../../src/mime/body-text.js';

describe('joinFlowed (RFC 3676)', () => {
  test.each([
    ['a soft break', 'one \ntwo', null, 'one two'],
    ['several soft breaks', 'one \ntwo \nthree\nfour', null, 'one two three\nfour'],
    ['hard breaks', 'one\n\ntwo\n', null, 'one\n\ntwo\n'],
    ['a space that was stuffed', ' From one\n  two', null, 'From one\n two'],
    ['a space that was stuffed after a soft break', 'one \n two', null, 'one two'],
    ['a quote that flows', '> one \n> two\nthree', null, '> one two\nthree'],
    ['quotes of different depth', '> one \n>> two \nthree', null, '> one \n>> two \nthree'],
    ['a stuffed line that only looks quoted', 'one \n >two', null, 'one >two'],
    ['a signature', 'one \n-- \nAnna', null, 'one \n-- \nAnna'],
    ['DelSp', 'https://app.test/ver \nify?a=1 \n2', 'Yes', 'https://app.test/verify?a=12'],
    ['DelSp keeps the space of the text', 'one  \ntwo', 'yes', 'one two'],
    ['DelSp of no', 'one \ntwo', 'no', 'one two'],
    ['nothing', '', null, ''],
  ])('%s', (_, text, delSp, joined) => {
    expect(joinFlowed(text, delSp)).toBe(joined);
  });
});
