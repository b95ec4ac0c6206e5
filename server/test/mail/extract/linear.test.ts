import { describe, expect, test } from 'vitest';
import { bodyText } from '../../../src/mail/body.js';
import { extract } from '../../../src/mail/extract/extraction.js';

/** So many times the input is measured beside the input once. */
const TIMES = 8;
/** Then it may take so many times as long: what is linear takes 8 times, and what is quadratic 64 times. */
const MAX_RATIO = 14;
/** Small enough to be within every bound when multiplied, so that the bounds do not hide what is not linear. */
const TEXT_CHARS = 4 * 1024;
const HTML_CHARS = 16 * 1024;
const MEASUREMENTS = 5;
/** Times below this say nothing: what takes less is run as often as it needs to. */
const MIN_TIME_MS = 2;
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
  'links in one word': `<a title="${'-'.repeat(30)}" href="https://a.test/verify">${'a'.repeat(60)}</a>`,
  'codes in one word': `4829${'a'.repeat(300)}`,
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

/** Processor time that something takes, in milliseconds: on a busy machine, time on the clock is that of others, too. */
function processorMs(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The least of several measurements: what else the process does, such as compiling and collecting garbage, comes on top. */
function leastMs(run: () => void): number {
  return Math.min(...Array.from({ length: MEASUREMENTS }, () => processorMs(run)));
}

/** How many times as long one of two takes as the other. */
function ratio(one: () => void, other: () => void): number {
  let runs = 1;
  while (leastMs(repeated(one, runs)) < MIN_TIME_MS) runs *= 2;
  return leastMs(repeated(other, runs)) / leastMs(repeated(one, runs));
}

function repeated(run: () => void, runs: number): () => void {
  return () => {
    for (let count = 0; count < runs; count++) run();
  };
}

/** How many times as long `TIMES` the input takes. */
function ratioOf(read: (input: string) => void, scrap: string, chars: number, opening = ''): number {
  const once = filled(scrap, chars, opening);
  const more = filled(scrap, TIMES * chars, opening);
  return ratio(
    () => read(once),
    () => read(more),
  );
}

describe('the time for a text grows as its length does', AGAIN, () => {
  test.each(Object.entries(TEXTS))('%s', (_, scrap) => {
    expect(ratioOf(readText, scrap, TEXT_CHARS)).toBeLessThan(MAX_RATIO);
  });
});

describe('the time for HTML grows as its length does', AGAIN, () => {
  test.each(Object.entries(PAGES))('%s', (_, scrap) => {
    expect(ratioOf(readHtml, scrap, HTML_CHARS)).toBeLessThan(MAX_RATIO);
  });
  test.each(['<a ', '<style>', '<!--', '<pre>', '<p style="', '<div hidden>', '<a href="https://a.test/verify/'])(
    'after %s',
    (opening) => {
      expect(ratioOf(readHtml, 'code 4829 </', HTML_CHARS, opening)).toBeLessThan(MAX_RATIO);
    },
  );
});

test('what lies beyond the bounds costs nothing but being passed over', AGAIN, () => {
  const [read, more] = [300_000, 3_000_000].map((chars) => filled('<b>code 4829</b> ', chars)) as [string, string];
  expect(
    ratio(
      () => readHtml(read),
      () => readHtml(more),
    ),
  ).toBeLessThan(MAX_RATIO);
});

test('and a reader that is quadratic would be noticed', () => {
  const quadratic = (input: string) => {
    let sum = 0;
    for (let end = 0; end < input.length; end++) for (let at = 0; at < end; at++) sum ^= at;
    return sum;
  };
  expect(ratioOf(quadratic, 'a', 2_000)).toBeGreaterThan(MAX_RATIO);
});
