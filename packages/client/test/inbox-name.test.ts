import { describe, expect, test } from 'vitest';
import { inboxName } from '../../protocol/src/inbox-name.js';

describe('inboxName (D1)', () => {
  test.each([
    ['swift-x7k2m9q', 'swift-x7k2m9q'],
    ['A.b_C+d-9', 'a.b_c+d-9'],
    ['a', 'a'],
    ['x'.repeat(64), 'x'.repeat(64)],
  ])('%s is the name %s', (text, name) => {
    expect(inboxName(text)).toBe(name);
  });

  test.each([
    '',
    'x'.repeat(65),
    '.a',
    'a.',
    'a..b',
    'a b',
    'a@b',
    'a/b',
    'ä',
    'a\u0000',
    'a\n',
    '\u212aelvin',
    'a%41',
    '"a"',
  ])('%j is no name', (text) => {
    expect(inboxName(text)).toBeNull();
  });
});
