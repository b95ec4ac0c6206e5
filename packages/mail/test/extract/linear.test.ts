import { describe, expect, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { bodyText } from '../../src/read-mail.js';
import { growthOf, MAX_GROWTH, timesAsLong } from '../growth.js';

/** Small enough that the larger input stays within every limit, because a limit would hide non-linear code. */
const TEXT_CHARS = 4 * 1024;
const HTML_CHARS = 16 * 1024;

/** Inputs that take quadratic time if code reads the same characters again and again. */
const TEXTS: Record<string, string> = {
  digits: '1234567890',
  codes: 'code: 482913, ',
  'codes line by line': '482913\n',
  'single digits': '4 ',
  'hyphened digits': '1-',
  'digits of other scripts': '٤٨٢٩ ',
  dots: '1234.',
  'phone numbers': '+1(',
  spaces: ' ',
  'line breaks': '\n',
  'one word': 'bestätigungs',
  'words of another language': 'mozi 482913 ',
  'digits with invisible characters between': '4\u200b',
  'hyphened words': 'one-',
  'words without spaces': '验证码',
  'http://': 'http://',
  '://': '://',
  addresses: 'https://app.test/verify?token=abc ',
  'addresses in addresses': 'https://a.test/?u=https%3A%2F%2Fb.test%2Fverify%3Furl%3D',
  'words in an address': 'https://a.test/verify-your-unsub-email-',
  'cut addresses': 'https://app.test/verify?token=\n',
  'cut in Markdown': '[a](https://app.test/verify\n',
  'cut in angle brackets': '<https://app.test/verify\n  a',
  'quoted addresses': '> https://app.test/verify?a=\n> > ',
  'full lines': `https://app.test/verify?token=${'a1'.repeat(30)}\n`,
  'open angle brackets': '<http://a\n',
  'brackets in an address': 'https://a/verify/(()',
  '[': '[',
  '(': '(',
  '](': '[a](http://a/',
  '&': '&',
  '@': '1234@',
};

const PAGES: Record<string, string> = {
  ...TEXTS,
  '<': '<',
  '<a': '<a ',
  'open elements': '<div>',
  'starts of quotations': '<div id="divRplyFwdMsg">a</div>',
  'open links': '<a href="https://app.test/verify">code 4829 ',
  'wrong closing tags': '<div></p>',
  'closing tags': '</b>',
  'open comments': '<!--',
  comments: '<!-- -->',
  'raw text': '<style>',
  attributes: 'b=c ',
  'a tag with attributes': '<a b=c d=e f=g>',
  'open quotes': '<a b="',
  'equals signs': '<a =',
  entities: '&amp;',
  'long entities': '&aaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  'open references': '&#x',
  'declarations of a style': `<p style="${'a;'.repeat(500)}">`,
  'open tables': '<table><tr><td>',
  cells: '<td>4',
  'list items': '<li>a',
  'links in one word': `<a title="${'-'.repeat(30)}" href="https://a.test/verify">${'a'.repeat(60)}</a>`,
  'codes in one word': `4829${'a'.repeat(300)}`,
  breaks: '<br>',
  'digits in elements': '<b>4</b>',
  'spaces in an address': '<a href="https://a.test/verify?                                        x">a</a>',
  images: '<img alt="code 4829">',
  'zero-width characters': '\u200b',
};

/** A text of this length: an opening, then repetitions of `scrap`. */
function filled(scrap: string, chars: number, opening = ''): string {
  return opening + scrap.repeat(Math.ceil(chars / scrap.length)).slice(0, chars);
}

function readText(text: string): void {
  extract({ subject: text.slice(0, 500), text, html: null });
  bodyText(text, null);
}

function readHtml(html: string): void {
  extract({ subject: '', text: null, html });
  bodyText(null, html);
}

/** Returns a function that prepares a run of `read` over repetitions of `scrap`. */
const reading =
  (read: (input: string) => unknown, scrap: string, opening = '') =>
  (chars: number) => {
    const input = filled(scrap, chars, opening);
    return () => read(input);
  };

describe('extraction takes linear time for a text', () => {
  test.each(Object.entries(TEXTS))('%s', (_, scrap) => {
    expect(growthOf(reading(readText, scrap), TEXT_CHARS)).toBeLessThan(MAX_GROWTH);
  });
});

describe('extraction takes linear time for HTML', () => {
  test.each(Object.entries(PAGES))('%s', (_, scrap) => {
    expect(growthOf(reading(readHtml, scrap), HTML_CHARS)).toBeLessThan(MAX_GROWTH);
  });
  test.each(['<a ', '<style>', '<!--', '<pre>', '<p style="', '<div hidden>', '<a href="https://a.test/verify/'])(
    'after an unclosed %s',
    (opening) => {
      expect(growthOf(reading(readHtml, 'code 4829 </', opening), HTML_CHARS)).toBeLessThan(MAX_GROWTH);
    },
  );
});

test('extraction from 3,000,000 characters takes less than 3 times as long as from 300,000', { retry: 3 }, () => {
  const prepare = reading(readHtml, '<b>code 4829</b> ');
  expect(timesAsLong(prepare(300_000), prepare(3_000_000), 3)).toBeLessThan(3);
});
