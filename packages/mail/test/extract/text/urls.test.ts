import { expect, test } from 'vitest';
import { findUrls } from '../../../src/extract/text/urls.js';

const LONG = `https://app.test/${'a1'.repeat(30)}`;

const texts: [name: string, text: string, urls: string[]][] = [
  ['no URL', 'nothing here', []],
  ['a scheme alone', 'http:// and https://', []],
  ['another scheme', 'com.acme.app://auth?token=x1', ['com.acme.app://auth?token=x1']],
  ['no scheme', '1://a.test/x ://b', []],
  ['a blank in angle brackets', '<http://a.test/?n=Ann Lee> and', ['http://a.test/?n=Ann Lee']],
  ['blanks after URL: in angle brackets', '<URL:http://a.test/?n=A B C&t=x >', ['http://a.test/?n=A B C&t=x']],
  ['a blank in Markdown', '[a](http://a.test/?n=Ann Lee)', ['http://a.test/?n=Ann Lee']],
  ['a blank in quotes', 'Open “http://a.test/?n=Ann Lee&t=x” now', ['http://a.test/?n=Ann Lee&t=x']],
  ['a blank in an attribute', '<a href="http://a.test/?n=Ann Lee">', ['http://a.test/?n=Ann Lee']],
  ['a sentence in quotes', '"http://a.test/x is the address"', ['http://a.test/x']],
  ['text after a URL in brackets', '[http://a.test/x Verify your address]', ['http://a.test/x']],
  ['a title in Markdown', '[a](http://a.test/x "Title")', ['http://a.test/x']],
  ['character references', 'http://a.test/?key&#61;x1&amp;b&#x3D;2&amp;', ['http://a.test/?key=x1&b=2&']],
  [
    'character references around a URL',
    '&lt;http://a.test/x&gt; &quot;http://b.test/y&quot;',
    ['http://a.test/x', 'http://b.test/y'],
  ],
  ['a scheme after letters', 'xhttps://a.test/x', ['https://a.test/x']],
  ['capital letters', 'HTTP://A.test/X', ['HTTP://A.test/X']],
  ['two URLs', 'http://a.test/x, http://b.test/y.', ['http://a.test/x', 'http://b.test/y']],
  ['two adjacent URLs', 'http://a.test/http://b.test/', ['http://a.test/http://b.test/']],
  ['brackets', '[(http://a.test/x)]', ['http://a.test/x']],
  ['brackets within a URL', '(http://a.test/(x)_[y])', ['http://a.test/(x)_[y]']],
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
  ['an asterisk without emphasis', 'http://a.test/x*', ['http://a.test/x*']],
  ['Thai letters after a URL', 'http://a.test/xคลิก', ['http://a.test/x']],
  ['a full line that continues', `${LONG}\nb2c3&d=e\nThanks`, [`${LONG}b2c3&d=e`]],
  ['a full line and a word', `${LONG}\nThanks`, [LONG]],
  ['a full line and a sentence', `${LONG}\nb2c3 is it`, [LONG]],
  ['a full line and another URL', `${LONG}\nhttp://a.test/b2`, [LONG, 'http://a.test/b2']],
  ['a short line', 'http://a.test/x\nb2c3&d=e', ['http://a.test/x']],
  ['angle brackets over several lines', '<http://a.test/x\n  yz\nz>', ['http://a.test/xyzz']],
  ['angle brackets with URL: over two lines', '<URL:http://a.test/x\n yz>', ['http://a.test/xyz']],
  ['an open angle bracket', '<http://a.test/x\nand more', ['http://a.test/x']],
];

test.each(texts)('findUrls finds a plain-text URL: %s', (_, text, urls) => {
  expect(findUrls(text, 'wrapped').map(({ url }) => url)).toEqual(urls);
});

test('findUrls ends a URL at each line break if the text is not wrapped', () => {
  expect(findUrls(`${LONG}\nb2c3&d=e`, 'meant').map(({ url }) => url)).toEqual([LONG]);
});

test('findUrls returns the range of a URL', () => {
  const text = `see (${LONG}\nb2c3=).\nok`;
  const [found] = findUrls(text, 'wrapped');
  expect(text.slice(found?.start, found?.end)).toBe(`${LONG}\nb2c3=`);
});

test('findUrls ignores a URL that is longer than any mail program opens', () => {
  expect(findUrls(`http://a.test/${'x'.repeat(10_000)} http://b.test/`, 'meant').map(({ url }) => url)).toEqual([
    'http://b.test/',
  ]);
});

const cut: [name: string, text: string][] = [
  ['a missing value', 'http://a.test/?token=\nabc it is'],
  ['half an escape', 'http://a.test/?a=%4'],
  ['half an escape before a line break', 'http://a.test/?a=%\nand so on'],
  ['a parameter in the next line', 'http://a.test/x\nb2c3&d=e'],
  ['a hyphen at the end of a line', 'http://a.test/x-\nabc'],
  ['an open angle bracket', '<http://a.test/x\nand more'],
  ['a bracket that the next line closes', '(http://a.test/x\nabc)'],
  ['a full line and a word in small letters', `${LONG}\nabcdef`],
  ['a full line and too many digits for a code', `${LONG}\n123456789`],
  ['a full line and the start of a sentence', `${LONG}\na1b2c3d4e5f6a7b8 it is`],
  ['an equals sign that may be a soft break', `${LONG}=\nb2c3d4`],
  ['an ellipsis', 'http://a.test/x…'],
  ['a query after a blank', 'http://a.test/?n=Ann Lee&t=x and'],
  ['a query after two blanks', 'http://a.test/?n=Ann Mary Lee&t=x'],
  ['a path after a blank', 'http://a.test/verify/Ann Lee/q7w8e9r0'],
  ['a quotation', '> http://a.test/x\n> b2c3&d=e'],
];

test.each(cut)('findUrls marks a URL as cut if its end is uncertain: %s', (_, text) => {
  expect(findUrls(text, 'wrapped').map(({ isCut }) => isCut)).toEqual([true]);
});

const whole: [name: string, text: string][] = [
  ['the end of the text', 'http://a.test/x'],
  ['a blank line', 'http://a.test/?token=\n\nabc'],
  ['a sentence', 'http://a.test/x-\nThanks a lot'],
  ['a word', 'http://a.test/x\nThanks'],
  ['a full line and a word in capitals', `${LONG}\nTHANKS`],
  ['a full line and a name', `${LONG}\nMaya`],
  ['a full line and digits', `${LONG}\n482913`],
  ['a full line and an email address', `${LONG}\na1@b.test`],
  ['a full line and a ruling', `${LONG}\n==========`],
  ['a full line and another URL', `${LONG}\nwww.a.test`],
  ['a period', 'http://a.test/x.\nb2c3&d=e'],
  ['a bracket', '(http://a.test/x)\nb2c3&d=e'],
  ['angle brackets over several lines', '<http://a.test/x\n  b2>\nc=d'],
  ['padding', 'http://a.test/?t=dG9r=\nThanks'],
  ['words with a slash', 'http://a.test/x and/or call us'],
  ['a company with an ampersand', 'http://a.test/x by AT&T = fine'],
  ['a per cent sign in the line', 'http://a.test/x% and'],
];

test.each(whole)('findUrls marks a URL as whole if its end is certain: %s', (_, text) => {
  expect(findUrls(text, 'wrapped').map(({ isCut }) => isCut)).toEqual(Array.from(text.matchAll(/:\/\//g), () => false));
});

test('findUrls joins a percent escape that a line break splits', () => {
  expect(findUrls('http://a.test/?a=%4\n0b', 'wrapped').map(({ url }) => url)).toEqual(['http://a.test/?a=%40b']);
});

test('findUrls joins the lines of a URL that Markdown brackets enclose', () => {
  const text = '[a](http://a.test/(x\n y)?z\n), and more';
  expect(findUrls(text, 'wrapped').map(({ url, isCut }) => [url, isCut])).toEqual([['http://a.test/(xy)?z', false]]);
});
