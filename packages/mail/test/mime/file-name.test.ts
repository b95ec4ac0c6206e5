import { expect, test } from 'vitest';
import { safeFileName } from '../../src/mime/file-name.js';

test.each([
  ['the longest that file systems take', `${'a'.repeat(251)}.pdf`, `${'a'.repeat(251)}.pdf`],
  ['one byte more', `${'a'.repeat(252)}.pdf`, `${'a'.repeat(251)}.pdf`],
  ['far more', `${'a'.repeat(100_000)}.pdf`, `${'a'.repeat(251)}.pdf`],
  ['letters of three bytes each', `${'あ'.repeat(200)}.pdf`, `${'あ'.repeat(83)}.pdf`],
  ['characters of two units each, none of which is cut', `${'😀'.repeat(100)}.pdf`, `${'😀'.repeat(62)}.pdf`],
  [
    'the longest extension that is kept',
    `${'a'.repeat(300)}.${'b'.repeat(19)}`,
    `${'a'.repeat(235)}.${'b'.repeat(19)}`,
  ],
  ['one that is longer', `${'a'.repeat(300)}.${'b'.repeat(20)}`, 'a'.repeat(255)],
])('a name is cut where it is too long: %s', (_, written, name) => {
  expect(safeFileName(written)).toBe(name);
});
