import { describe, expect, it } from 'vitest';
import { compared, instructionsIn, keyOf } from '../instructions/counting.js';

describe('instructionsIn', () => {
  it("finds the count in valgrind's output", () => {
    expect(instructionsIn('==7== Cachegrind\n==7== I   refs:      604,936,540\n')).toBe(604_936_540);
  });

  it('throws if the output has no count', () => {
    expect(() => instructionsIn('==7== Cachegrind\n')).toThrow('it counted nothing');
  });
});

describe('compared', () => {
  const recorded = { html: 1_000_000, text: 300_000 };

  it.each([
    ['accepts an increase of up to a tenth', { html: 1_100_000, text: 200_000 }, []],
    ['names the message whose cost grew', { html: 1_100_001, text: 300_000 }, ['A message of html costs 1.10 M']],
    ['ignores a message without a recorded count', { other: 9_000_000 }, []],
  ])('%s', (_name, now, sentences) => {
    const { rows, worse } = compared(now, recorded);
    expect(rows).toHaveLength(Object.keys(now).length);
    expect(worse).toHaveLength(sentences.length);
    for (const [position, sentence] of sentences.entries()) expect(worse[position]).toContain(sentence);
  });

  it('reports the change of each count in percent', () => {
    expect(compared({ html: 900_000, text: 330_000 }, recorded).rows).toEqual([
      expect.stringContaining('0.90 M (-10.0 % of 1.00 M)'),
      expect.stringContaining('0.33 M (+10.0 % of 0.30 M)'),
    ]);
  });

  it('compares only counts of the same major version of Node and the same processor type', () => {
    expect(keyOf({ node: '20.19.1', arch: 'x64' })).toBe('valgrind, Node 20, x64');
  });
});
