import { expect, test } from 'vitest';
import type { Tables } from '../../../src/store/lmdb/layout.js';
import { Writer } from '../../../src/store/lmdb/writer.js';

test('a transaction that fails before it begins fails the changes that wait for it', async () => {
  const transaction = () => Promise.reject(new Error('the file is gone'));
  const writer = new Writer({ tables: {} as Tables, transaction });
  const changes = await Promise.allSettled([1, 2, 3].map((n) => writer.change(() => n)));
  expect(changes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
