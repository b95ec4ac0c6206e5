import { expect, test } from 'vitest';
import { readQuery } from '../../src/http/request/fields.js';

test.each([
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a', { a: '' }],
  ['a=1&b=2&a=3&a=', { a: ['1', '3', ''], b: '2' }],
  ['a=%C3%A9+%26', { a: 'é &' }],
  ['a=%ff', { a: '\ufffd' }],
  [
    '__proto__=1&constructor=2',
    Object.fromEntries([
      ['__proto__', '1'],
      ['constructor', '2'],
    ]),
  ],
])('%j', (text, query) => {
  expect(Object.entries(readQuery(text))).toEqual(Object.entries(query));
});

const FEW = 1_000;

test.each([
  ['many names', (n: number) => `${n.toString(36)}&`],
  ['one name many times', () => 'a&'],
])('%s are read in linear time', (_, parameter) => {
  const timeOf = (count: number) => {
    const text = Array.from({ length: count }, (_, n) => parameter(n)).join('');
    const startedAt = performance.now();
    readQuery(text);
    return performance.now() - startedAt;
  };
  timeOf(FEW);
  // A reader that looks at all parameters again for each name would take 64 times as long for eight times as many, each time it is
  // tried; what else the machine does disturbs some tries, but not all.
  const ratios = Array.from({ length: 9 }, () => timeOf(8 * FEW) / timeOf(FEW));
  expect(Math.min(...ratios)).toBeLessThan(16);
});
