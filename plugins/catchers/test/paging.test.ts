import { expect, test } from 'vitest';
import type { Request } from '../../../packages/server/dist/extension/extension.js';
import { pageOf } from '../src/requests.js';

const pageIn = (query: object) => pageOf({ query } as Request, { standard: 50, most: 500 });

test.each([
  [{}, 0, 50],
  [{ start: '7', limit: '3' }, 7, 3],
  [{ start: '0', limit: '0' }, 0, 0],
  [{ limit: '500' }, 0, 500],
  [{ limit: '501' }, 0, 500],
  [{ limit: '999999999' }, 0, 500],
  // What is no number counts as not given, as a number does that no list has so many of.
  [{ start: '-1', limit: '-1' }, 0, 50],
  [{ start: 'x', limit: '1e3' }, 0, 50],
  [{ start: '1.5', limit: ' 3' }, 0, 50],
  [{ start: '9999999999', limit: '9999999999' }, 0, 50],
  [{ start: '', limit: '' }, 0, 50],
  [{ start: ['4', '5'], limit: ['2', '3'] }, 4, 2],
])('%j asks for %i and on, at most %i', (query, start, limit) => {
  expect(pageIn(query)).toEqual({ start, limit });
});
