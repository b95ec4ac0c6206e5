import { describe, expect, test } from 'vitest';
import { parameter, parseStructuredField } from '../../src/mime/structured-field.js';

describe('a structured field', () => {
  test.each([
    ['a token alone', 'Text/Plain', 'text/plain'],
    ['a comment before and after', '(a) text/plain (b); c=d', 'text/plain'],
    ['a comment without a blank', 'base64(x)', 'base64'],
    ['quotes', '"base64"', 'base64'],
    ['nothing', '', ''],
    ['parameters alone', '; charset=x', ''],
  ])('its token: %s', (_, value, token) => {
    expect(parseStructuredField(value).token).toBe(token);
  });

  test.each([
    ['plain', 'a/b; charset=utf-8', 'utf-8'],
    ['quoted', 'a/b; charset="utf-8"', 'utf-8'],
    ['quoted with escapes and separators', 'a/b; charset="a;\\"b\\\\ (c)"', 'a;"b\\ (c)'],
    ['upper case name', 'a/b; CharSet=X', 'X'],
    ['blanks around the equals sign', 'a/b; charset = "x"', 'x'],
    ['comments around the equals sign', 'a/b; charset (a) = (b) x (c)', 'x'],
    ['a semicolon missing', 'a/b charset=x', 'x'],
    ['semicolons doubled', 'a/b;; ;charset=x;;', 'x'],
    ['a parameter without value before it', 'a/b; flag; charset=x', 'x'],
    ['a nameless value before it', 'a/b; =y; charset=x', 'x'],
    ['other parameters around it', 'a/b; x="charset=no"; charset=yes; y=z', 'yes'],
    ['the first of two', 'a/b; charset=one; charset=two', 'one'],
    ['an empty value', 'a/b; charset=; x=y', ''],
    ['an equals sign in the value', 'a/b; charset=----=_Part', '----=_Part'],
    ['brackets in the value', 'a/b; charset=a(b)c', 'a(b)c'],
    ['a quote that nothing closes', 'a/b; charset="x; y=z', 'x'],
    ['a comment that nothing closes', 'a/b; (oops charset=x', 'x'],
    ['junk after a quoted value', 'a/b; charset="x"y; z=1', 'x'],
    ['RFC 2231 with charset and language', "a/b; charset*=us-ascii'en'utf%2D8", 'utf-8'],
    ['RFC 2231 without charset', 'a/b; charset*=utf%2D8', 'utf-8'],
    ['RFC 2231 sections, in any order', 'a/b; charset*1=b; charset*2="c d"; charset*0=a', 'abc d'],
    ['RFC 2231 encoded sections', "a/b; charset*0*=''%61'b; charset*1*=%63; charset*2=%64", "a'bc%64"],
    ['RFC 2231 sections with one missing', 'a/b; charset*0=a; charset*2=c', 'a'],
  ])('its parameter: %s', (_, value, expected) => {
    expect(parameter(parseStructuredField(value), 'charset')).toBe(expected);
  });

  test.each([
    ['none', 'a/b'],
    ['a name alone', 'a/b; charset'],
    ['sections that do not begin with the first', 'a/b; charset*1=b'],
    ['a longer name', 'a/b; xcharset=x; charsets=y'],
  ])('has no such parameter: %s', (_, value) => {
    expect(parameter(parseStructuredField(value), 'charset')).toBeNull();
  });
});
