import { keptBody } from 'mayfly-plugins-shared/sending/kept-body';
import { expect, test } from 'vitest';

test('a stored body has the first items of a long list, whose other items are not read', () => {
  const tags: number[] = Array.from({ length: 10_000 }, (_, at) => at);
  Object.defineProperty(tags, 9_999, { enumerable: true, get: () => expect.unreachable('The last item is read.') });
  const kept = keptBody({ tags }) as { tags: unknown[] };
  expect(kept.tags.slice(0, 2_000)).toEqual(tags.slice(0, 2_000));
  expect(kept.tags.at(-1)).toBe('… (10000 items)');
});

test('a stored body has the first fields of an object, and the number of all fields', () => {
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`x${at}`, 'y'.repeat(90)]));
  expect(keptBody(fields)).toMatchObject({ x0: 'y'.repeat(90), '…': '… (10000 items)' });
});
