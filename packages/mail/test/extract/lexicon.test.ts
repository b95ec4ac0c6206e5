import { expect, test } from 'vitest';
import { findWords, MAX_WORD_CHARS } from '../../src/extract/words/lexicon.js';

test.each([
  ['a choice', 'did not request', 'denial'],
  ['a choice that is left out', 'did not recently request', 'denial'],
  ['a curved apostrophe', 'wasn’t you', 'denial'],
  ['a no-break space', 'not\u00a0you', 'denial'],
  ['the longer of two', 'status code', 'other'],
  ['a word with a name in front of it in another script', 'otpコード', 'code'],
])('an entry is found with %s', (_, text, role) => {
  expect(findWords({ lower: text })).toMatchObject([{ role, start: text.startsWith('otp') ? 3 : 0, end: text.length }]);
});

test('a phrase that is cut short is none', () => {
  expect(findWords({ lower: 'did not' }).map(({ role }) => role)).not.toContain('denial');
});

test('looking at a part of a text changes nothing for who looks at all of it', () => {
  const text = { lower: `${'x '.repeat(MAX_WORD_CHARS / 2)}code and more${' x'.repeat(100)}` };
  const all = findWords({ lower: text.lower });
  expect(all).toMatchObject([{ role: 'code', start: MAX_WORD_CHARS, end: MAX_WORD_CHARS + 4 }]);
  for (let to = 1; to < 10; to++) expect(findWords(text, 0, to)).toEqual([]);
  expect(findWords(text)).toEqual(all);
});

test('a part that goes on behind the end of a text holds nothing of another text', () => {
  findWords({ lower: ' code'.repeat(200) });
  expect(findWords({ lower: 'x '.repeat(200) }, 300, 1_000)).toEqual([]);
});

test.each([
  ['a host', 'kestrel-booking.app', []],
  ['a host at the end of a sentence', 'by kestrel-booking.app.', []],
  ['the end of a sentence', 'the order. come in', ['other']],
  ['a sentence without a space behind it', 'the order.we wait', ['other']],
  ['a word like the end of a host', 'the order.community', ['other']],
])('a word that names %s', (_, text, roles) => {
  expect(findWords({ lower: text }).map(({ role }) => role)).toEqual(roles);
});
