import { expect, test } from 'vitest';
import { emailAt, emailKey, emailRow, type Tables } from '../../../src/store/lmdb/layout.js';

const EMAIL = { inbox: 'demo', receivedAt: 1, expiresAt: 2, message: 3, contentBytes: 4, indexBytes: 5 };
const MORE = { summaryBytes: 6, recipient: 7, isShared: true, isCleared: false, to: '' };

test('refuses a row of an email that is one byte too short', () => {
  const [key, row] = [emailKey('demo', 1), emailRow({ ...EMAIL, ...MORE })];
  const tables = (found: Buffer) => ({ emails: { getBinaryFast: () => found } }) as unknown as Tables;
  expect(emailAt(tables(row), key)).toMatchObject({ ...EMAIL, ...MORE });
  expect(() => emailAt(tables(row.subarray(0, -1)), key)).toThrow(RangeError);
});
