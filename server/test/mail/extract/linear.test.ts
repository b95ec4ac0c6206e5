import { describe, expect, test } from 'vitest';
import { bodyText } from '../../../src/mail/body.js';
import { extract } from '../../../src/mail/extract/extraction.js';

/** Small enough to be within every bound when doubled, so that the bounds do not hide what is not linear. */
const TEXT_CHARS = 32 * 1024;
const HTML_CHARS = 64 * 1024;
/** Twice the input may take so many times as long, since memory for a small one is kept; what is quadratic takes four times. */
const MAX_RATIO = 3;
const MEASUREMENTS = 5;
/** Times below this say nothing. */
const MIN_TIME_MS = 4;
/** A busy machine can spoil a measurement, and only for the worse: what is quadratic fails every time. */
const AGAIN = { retry: 3 };

/** Input that costs much more than its length in a reader that looks at anything twice. */
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
  'digits with nothing seen between': '4\u200b',
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
  'filled lines': `https://app.test/verify?token=${'a1'.repeat(30)}\n`,
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
  breaks: '<br>',
  'digits in elements': '<b>4</b>',
  'spaces in an address': '<a href="https://a.test/verify?                                        x">a</a>',
  images: '<img alt="code 4829">',
  'widthless characters': '\u200b',
};

/** Fills a number of characters with repetitions, which the opening comes before. */
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

/** The least processor time that a run takes, in milliseconds: what else the machine does comes on top of it. */
function leastTimeMs(run: () => void): number {
  const times = Array.from({ length: MEASUREMENTS }, () => {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

function ratio(read: (input: string) => void, scrap: string, chars: number, opening: string): number {
  const once = filled(scrap, chars, opening);
  const twice = filled(scrap, 2 * chars, opening);
  read(once);
  const timeOnce = leastTimeMs(() => read(once));
  const timeTwice = leastTimeMs(() => read(twice));
  return timeTwice / Math.max(timeOnce, MIN_TIME_MS);
}

describe('twice the text takes at most twice the time', AGAIN, () => {
  test.each(Object.entries(TEXTS))('%s', (_, scrap) => {
    expect(ratio(readText, scrap, TEXT_CHARS / 2, '')).toBeLessThan(MAX_RATIO);
  });
});

describe('twice the HTML takes at most twice the time', AGAIN, () => {
  test.each(Object.entries(PAGES))('%s', (_, scrap) => {
    expect(ratio(readHtml, scrap, HTML_CHARS, '')).toBeLessThan(MAX_RATIO);
  });
  test.each(['<a ', '<style>', '<!--', '<pre>', '<p style="', '<div hidden>', '<a href="https://a.test/verify/'])(
    'after %s',
    (opening) => {
      expect(ratio(readHtml, 'code 4829 </', HTML_CHARS, opening)).toBeLessThan(MAX_RATIO);
    },
  );
});

test('what lies beyond the bounds costs nothing but being passed over', AGAIN, () => {
  const time = (chars: number) => leastTimeMs(() => readHtml(filled('<b>code 4829</b> ', chars)));
  time(300_000);
  expect(time(3_000_000) / Math.max(time(300_000), MIN_TIME_MS)).toBeLessThan(MAX_RATIO);
});
