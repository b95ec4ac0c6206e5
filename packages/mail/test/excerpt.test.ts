import { expect, test } from 'vitest';
import { excerptOf, readContents } from '../src/contents.js';

const MAX = 1_000;

const links = Array.from({ length: 100 }, (_, n) => `<a href="https://app.test/page-${n}">Page ${n}</a>`);
const headers = Array.from({ length: 100 }, (_, n) => `X-Header-${n}: ${'v'.repeat(50)}\r\n`);
const LARGE = Buffer.from(
  `From: a@a.test\r\n${headers.join('')}Content-Type: text/html; charset=utf-8\r\n\r\n<p>${'\u{1f600}'.repeat(2_000)}</p>${links.join('\r\n')}`,
);

test('excerptOf keeps small contents unchanged', () => {
  const contents = readContents(Buffer.from('From: a@a.test\r\nSubject: x\r\n\r\nYour code is 482913'));
  expect(excerptOf(contents, MAX)).toEqual(contents);
});

test('excerptOf keeps the action link even if it is the last of many links', () => {
  const last =
    '<p>Welcome! Please confirm your email address: <a href="https://app.test/go?t=8f2c">Confirm email</a></p>';
  const contents = readContents(Buffer.concat([LARGE, Buffer.from(`\r\n${last}`)]));
  expect(contents.links.findIndex(({ action }) => action)).toBe(100);
  const { links } = excerptOf(contents, MAX);
  expect(links.length).toBeLessThan(50);
  expect(links.at(-1)).toMatchObject({ url: 'https://app.test/go?t=8f2c', action: true });
});

test('excerptOf truncates long texts and lists, and names the truncated fields in incomplete', () => {
  const contents = readContents(LARGE);
  const excerpt = excerptOf(contents, MAX);
  expect(contents.links).toHaveLength(100);
  expect(excerpt.links.length).toBeGreaterThan(0);
  expect(contents.links.slice(0, excerpt.links.length)).toEqual(excerpt.links);
  const [last, ...others] = [...excerpt.links].reverse();
  expect(last).toBeDefined();
  expect(others.reduce((sum, link) => sum + JSON.stringify(link).length, 0)).toBeLessThanOrEqual(MAX);
  expect(excerpt.headers.length).toBeLessThan(contents.headers.length);
  expect(excerpt.html?.length).toBeLessThanOrEqual(MAX);
  expect(excerpt.html).not.toMatch(/[\p{Cs}]/u);
  expect([...excerpt.incomplete].sort()).toEqual(['headers', 'html', 'links']);
});
