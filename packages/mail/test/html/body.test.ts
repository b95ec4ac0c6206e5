import { expect, test } from 'vitest';
import { readPage } from '../../src/html/read-page.js';
import { bodyText } from '../../src/read-mail.js';

const cases: [name: string, text: string | null, html: string | null, body: string][] = [
  ['neither part', null, null, ''],
  ['the text part', 'a\r\nb\rc\nd', '<p>x</p>', 'a\nb\nc\nd'],
  ['the HTML part alone', null, '<h1>a</h1><p>b <a href="x">c</a></p>', 'a\n\nb c'],
  ['an empty text part', '', '<p>x</p>', 'x'],
  ['a text part of white space', ' \r\n\t', '<p>x</p>', 'x'],
  ['white space alone', ' \r\n', null, ' \n'],
];

test.each(cases)('%s', (_, text, html, body) => {
  expect(bodyText(text, html)).toBe(body);
  expect(bodyText(text, html === null ? null : readPage(html))).toBe(body);
});

/** Interface section 2.1. */
const BODY_CHARS = 5_000;

test('its first characters, and no half of one', () => {
  const start = 'a'.repeat(BODY_CHARS - 1);
  expect(bodyText(`${start}bc`, null)).toBe(`${start}b`);
  expect(bodyText(`${start}🔑`, null)).toBe(start);
  expect(bodyText(`${start.slice(1)}🔑c`, null)).toBe(`${start.slice(1)}🔑`);
  expect(bodyText(null, `<p>${start}🔑</p>`)).toBe(start);
});
