import { expect, test } from 'vitest';
import { extract } from '../../src/extract/extraction.js';

const URL = `https://app.test/verify?token=${'a1b2c3d4'.repeat(8)}`;

/** The maximum number of characters searched in each part. */
const TEXT_CHARS = 64 * 1024;
const HTML_CHARS = 256 * 1024;
const SUBJECT_CHARS = 1_000;

/** Text in which the limit `bound` falls after `chars` characters of `scrap`. */
function cutAfter(chars: number, scrap: string, bound: number): string {
  const before = 'word '.repeat(bound).slice(0, bound - chars - 1);
  return `${before} ${scrap} and more`;
}

test.each([
  ['subject', { subject: cutAfter(50, URL, SUBJECT_CHARS), text: null, html: null }],
  ['text', { subject: 'Verify', text: cutAfter(50, URL, TEXT_CHARS), html: null }],
  ['HTML text', { subject: 'Verify', text: null, html: `<p>${cutAfter(50, URL, TEXT_CHARS)}</p>` }],
  [
    'HTML',
    {
      subject: 'Verify',
      text: null,
      html: `<p hidden>${cutAfter(50, `</p>${URL}`, HTML_CHARS - '<p hidden>'.length)}`,
    },
  ],
])('extract ignores a URL that is cut by the length limit: %s', (_, input) => {
  expect(extract(input).magicLink).toBeNull();
});

test.each([
  ['subject', { subject: cutAfter(11, 'Code: 482913', SUBJECT_CHARS), text: '', html: null }],
  ['text', { subject: 'Your code', text: cutAfter(11, 'Code: 482913', TEXT_CHARS), html: null }],
  ['HTML text', { subject: 'Your code', text: null, html: cutAfter(11, 'Code: 482913', TEXT_CHARS) }],
])('extract ignores a number that is cut by the length limit: %s', (_, input) => {
  expect(extract(input).otp).toBeNull();
});

test('extract finds a URL at the start of a text that exceeds the bound', () => {
  const text = `${URL} ${'word '.repeat(TEXT_CHARS)}`;
  expect(extract({ subject: '', text, html: null }).magicLink).toBe(URL);
  expect(extract({ subject: '', text: null, html: `<p>${text}</p>` }).magicLink).toBe(URL);
});
