import { expect, test } from 'vitest';
import { meantAddress } from '../../../src/extract/link/redirects.js';

const rewritten: [name: string, url: string, meant: string][] = [
  ['in a parameter', 'https://scan.test/?url=https%3A%2F%2Fa.test%2Fb%3Fc%3Dd%26e%3Df&k=1', 'https://a.test/b?c=d&e=f'],
  ['encoded in small letters', 'https://scan.test/?a=https%3a%2f%2fa.test%2fb', 'https://a.test/b'],
  ['encoded twice', 'https://scan.test/?u=https%253A%252F%252Fa.test%252Fb', 'https://a.test/b'],
  ['in the path', 'https://scan.test/1abc/https%3A%2F%2Fa.test%2Fb', 'https://a.test/b'],
  ['urldefense v3', 'https://urldefense.com/v3/__https://a.test/b?c=d__;!!x!y$', 'https://a.test/b?c=d'],
  [
    'urldefense v2',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__a.test_b-3Fc-3Dd&d=x',
    'https://a.test/b?c=d',
  ],
  ['not encoded', 'https://scan.test/?u=https://a.test/b?c=d', 'https://a.test/b?c=d'],
  [
    'by two programs',
    'https://scan.test/?url=https%3A%2F%2Fclick.other.test%2F%3Fu%3Dhttps%253A%252F%252Fa.example%252Fb',
    'https://a.example/b',
  ],
];

test.each(rewritten)('meantAddress finds the original of a rewritten URL: %s', (_, url, meant) => {
  expect(meantAddress(url)).toBe(meant);
});

test.each([
  ['no URL inside', 'https://a.test/verify?token=1'],
  ['a URL with its own action', 'https://a.test/verify?u=https%3A%2F%2Fb.example%2F'],
  ['a URL with a return URL', 'https://a.test/x?redirect_to=https%3A%2F%2Fb.example%2F'],
  ['a URL within the same site', 'https://click.a.test/x?u=https%3A%2F%2Fa.test%2Fverify'],
])('meantAddress keeps a URL that no scanner or tracker has rewritten: %s', (_, url) => {
  expect(meantAddress(url)).toBe(url);
});

test('meantAddress follows at most three nested URLs', () => {
  const url = Array.from({ length: 50 }, (_, i) => `https://a${i}.b${i}.test${i}/?u=`).join('');
  expect(meantAddress(url).slice(0, 11)).toBe('https://a3.');
});
