import { expect, test } from 'vitest';
import { emailAt, emailKey, type Tables } from '../../../src/store/lmdb/layout.js';
import { Writer } from '../../../src/store/lmdb/writer.js';

test('a transaction that fails before it begins rejects the changes that wait for it', async () => {
  const transaction = () => Promise.reject(new Error('the file is gone'));
  const writer = new Writer({ tables: {} as Tables, transaction });
  const changes = await Promise.allSettled([1, 2, 3].map((n) => writer.change(() => n)));
  expect(changes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('a row of an email that is one byte too short is rejected', () => {
  const tables = { emails: { getBinaryFast: () => Buffer.alloc(30) } } as unknown as Tables;
  expect(() => emailAt(tables, emailKey('demo', 1))).toThrow(RangeError);
});
