import { expect, test } from 'vitest';
import { findUrls } from '../../../../src/mail/extract/text/urls.js';

const LONG = `https://app.test/${'a1'.repeat(30)}`;

const texts: [name: string, text: string, urls: string[]][] = [
  ['none', 'nothing here', []],
  ['a scheme alone', 'http:// and https://', []],
  ['another scheme', 'ftp://a.test/x', []],
  ['a scheme behind letters', 'xhttps://a.test/x', ['https://a.test/x']],
  ['any case', 'HTTP://A.test/X', ['HTTP://A.test/X']],
  ['two', 'http://a.test/x, http://b.test/y.', ['http://a.test/x', 'http://b.test/y']],
  ['two without anything between', 'http://a.test/http://b.test/', ['http://a.test/http://b.test/']],
  ['several marks behind', 'http://a.test/x?!...', ['http://a.test/x']],
  ['brackets', '[(http://a.test/x)]', ['http://a.test/x']],
  ['own brackets', '(http://a.test/(x)_[y])', ['http://a.test/(x)_[y]']],
  ['Markdown', '[http://a.test/x](http://b.test/y)', ['http://a.test/x', 'http://b.test/y']],
  [
    'quotes',
    '"http://a.test/x" “http://b.test/y” «http://c.test/z»',
    ['http://a.test/x', 'http://b.test/y', 'http://c.test/z'],
  ],
  [
    'emphasis',
    '*http://a.test/x* _http://b.test/y_ ~http://c.test/z~',
    ['http://a.test/x', 'http://b.test/y', 'http://c.test/z'],
  ],
  ['an asterisk of its own', 'http://a.test/x*', ['http://a.test/x*']],
  ['Thai behind', 'http://a.test/xคลิก', ['http://a.test/x']],
  ['a filled line that goes on', `${LONG}\nb2c3&d=e\nThanks`, [`${LONG}b2c3&d=e`]],
  ['a filled line and a word', `${LONG}\nThanks`, [LONG]],
  ['a filled line and a sentence', `${LONG}\nb2c3 is it`, [LONG]],
  ['a filled line and digits', `${LONG}\n482913`, [LONG]],
  ['a filled line and another address', `${LONG}\nhttp://a.test/b2`, [LONG, 'http://a.test/b2']],
  ['a short line', 'http://a.test/x\nb2c3&d=e', ['http://a.test/x']],
  ['angle brackets over lines', '<http://a.test/x\n  yz\nz>', ['http://a.test/xyzz']],
  ['angle brackets over lines with one space', '<http://a.test/x\n yz\nz>', ['http://a.test/xyzz']],
  ['an open angle bracket', '<http://a.test/x\nand more', ['http://a.test/x']],
];

test.each(texts)('written out: %s', (_, text, urls) => {
  expect(findUrls(text, 'wrapped').map(({ url }) => url)).toEqual(urls);
});

test('line breaks that are meant end an address', () => {
  expect(findUrls(`${LONG}\nb2c3&d=e`, 'meant').map(({ url }) => url)).toEqual([LONG]);
});

test('an address is found where it lies', () => {
  const text = `see (${LONG}\nb2c3=).\nok`;
  const [found] = findUrls(text, 'wrapped');
  expect(text.slice(found?.start, found?.end)).toBe(`${LONG}\nb2c3=`);
});

test('an address longer than any program opens is none', () => {
  expect(findUrls(`http://a.test/${'x'.repeat(10_000)} http://b.test/`, 'meant').map(({ url }) => url)).toEqual([
    'http://b.test/',
  ]);
});
