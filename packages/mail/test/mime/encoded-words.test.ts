import { describe, expect, test } from 'vitest';
import { decodeWords } from '../../src/mime/encoded-words.js';

describe('decodeWords (RFC 2047)', () => {
  test.each([
    ['no word', 'Hello  there', 'Hello  there'],
    ['Q', '=?utf-8?Q?caf=C3=A9?=', 'café'],
    ['Q in lower case, digits too', '=?UTF-8?q?caf=c3=a9?=', 'café'],
    ['Q writes a space as underscore', '=?utf-8?Q?a_b=5Fc?=', 'a b_c'],
    ['B', '=?utf-8?B?Y2Fmw6k=?=', 'café'],
    ['B without padding', '=?utf-8?B?Y2Fmw6k?=', 'café'],
    ['text around a word', 'a =?utf-8?Q?b?= c', 'a b c'],
    ['a blank between two words vanishes', '=?utf-8?Q?a?= \t =?utf-8?Q?b?=', 'ab'],
    ['words of two charsets', '=?utf-8?Q?=C3=A9?= =?iso-8859-1?Q?=E9?=', 'éé'],
    ['a character cut in two', '=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?=', 'café'],
    ['a character cut in two, B and Q', '=?UTF-8?B?Y2Fmww==?= =?utf-8?Q?=A9?=', 'café'],
    [
      'a word that stands on its own in ISO-2022-JP',
      '=?iso-2022-jp?B?GyRCJDMbKEI=?= =?iso-2022-jp?B?GyRCJDMbKEI=?=',
      'ここ',
    ],
    ['a language (RFC 2231)', '=?utf-8*en-GB?Q?colour?=', 'colour'],
    ['an unknown charset, UTF-8 bytes', '=?x-none?Q?caf=C3=A9?=', 'café'],
    ['an unknown charset, other bytes', '=?x-none?Q?caf=E9?=', 'café'],
    ['windows-1252 that says ISO 8859-1', '=?iso-8859-1?Q?=93a=94?=', '“a”'],
    ['an empty word', 'a=?utf-8?Q??=b', 'ab'],
    ['raw blanks within a word', '=?utf-8?Q?a b?=', 'a b'],
    ['raw UTF-8', 'caf\xc3\xa9', 'café'],
    ['raw ISO 8859-1', 'caf\xe9', 'café'],
    ['raw UTF-8 within a word', '=?utf-8?Q?caf\xc3\xa9?=', 'café'],
    ['text that ends in an equals sign', '=?utf-8?Q?a=?=', 'a='],
  ])('%s', (_, field, text) => {
    expect(decodeWords(field)).toBe(text);
  });

  test.each([
    ['no end', '=?utf-8?Q?abc'],
    ['no text', '=?utf-8?Q?='],
    ['no charset', '=??Q?abc?='],
    ['an unknown encoding', '=?utf-8?X?abc?='],
    ['a blank in the charset', '=?utf 8?Q?abc?='],
  ])('leaves a malformed word as it is: %s', (_, field) => {
    expect(decodeWords(field)).toBe(field);
  });

  test('a word without end does not swallow the one after it', () => {
    expect(decodeWords('=?utf-8?Q?a =?utf-8?Q?b?=')).toBe('=?utf-8?Q?a b');
  });

  test('reads 16 KiB and no more, so that a bomb of words stays small', () => {
    const word = '=?utf-8?Q?a?= ';
    const wholeWords = Math.floor((16 * 1024) / word.length);
    const decoded = decodeWords(word.repeat(100_000));
    expect(decoded.slice(0, wholeWords)).toBe('a'.repeat(wholeWords));
    expect(decoded.length).toBeLessThan(wholeWords + word.length);
  });
});
