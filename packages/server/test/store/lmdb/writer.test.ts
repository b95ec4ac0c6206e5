import { expect, test } from 'vitest';
import { emailAt, emailKey, type Tables } from '../../../src/store/lmdb/layout.js';
import { Writer } from '../../../src/store/lmdb/writer.js';

test('all waiting changes are rejected if the transaction cannot begin', async () => {
  const transaction = () => Promise.reject(new Error('the file is gone'));
  const writer = new Writer({ tables: {} as Tables, transaction });
  const changes = await Promise.allSettled([1, 2, 3].map((n) => writer.change(() => n)));
  expect(changes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('a row that is one byte too short for an email is rejected', () => {
  const tables = { emails: { getBinaryFast: () => Buffer.alloc(30) } } as unknown as Tables;
  expect(() => emailAt(tables, emailKey('demo', 1))).toThrow(RangeError);
});
