import { describe, expect, it } from 'vitest';
import { FACTOR, overworkOf, UNTIMED_FACTOR, waitsOf } from '../judge.js';

/**
 * What others saw: twenty times of each kind. `deliver` and `fetch` are the second longest, which is the 95th
 * percentile.
 */
function seen({ deliver = 10, fetch = 2, longest = 200, failures = [] } = {}) {
  return {
    deliver: [...Array(18).fill(1), deliver, longest],
    fetch: [...Array(18).fill(1), fetch, longest],
    failures: new Map(failures),
  };
}

const calm = seen({ longest: 20 });
const busyIdle = seen({ deliver: 40, fetch: 10, longest: 200 });

describe('what others waited for', () => {
  const cases = [
    ['is nothing where they did not notice', seen(), calm, []],
    ['may be up to the bounds', seen({ deliver: 50, fetch: 20, longest: 300 }), calm, []],
    ['is a p95 over the bound', seen({ deliver: 51 }), calm, [/p95 of others' deliver is 51 ms; 50 ms/]],
    [
      'is judged for fetches by a bound of their own',
      seen({ fetch: 21 }),
      calm,
      [/p95 of others' fetch is 21 ms; 20 ms/],
    ],
    [
      'is any longest time over the bound',
      seen({ longest: 301 }),
      calm,
      [/longest deliver.* 301/, /longest fetch.* 301/],
    ],
    ['is judged by idle where idle is slow', seen({ deliver: 160, fetch: 40, longest: 800 }), busyIdle, []],
    ['has a bound there too', seen({ deliver: 161 }), busyIdle, [/p95 of others' deliver is 161 ms; 160 ms/]],
    ['includes whoever failed fast', seen({ failures: [[503, 2]] }), calm, [/2 requests of others failed: 2 × 503/]],
  ];
  it.each(cases)('%s', (_name, others, idle, sentences) => {
    const found = waitsOf(others, idle, FACTOR);
    expect(found).toHaveLength(sentences.length);
    for (const [position, sentence] of sentences.entries()) expect(found[position]).toMatch(sentence);
  });

  it('is not judged on a machine that is busy with other things, where only what failed counts', () => {
    const others = seen({ deliver: 4_000, fetch: 2_000, longest: 9_000, failures: [['timeout', 1]] });
    expect(waitsOf(others, calm, UNTIMED_FACTOR)).toEqual([
      expect.stringMatching(/^1 requests of others failed: 1 × timeout$/),
    ]);
  });

  it.each([
    [[3, 1_000], null],
    [[3, 1_001, 2], 'the service worked for 1001 ms while one of the others waited; 1000 ms are allowed'],
    [[], null],
  ])('is bounded by the work of the event loop meanwhile: %o', (work, sentence) => {
    expect(overworkOf({ work }, 1_000)).toBe(sentence);
  });

  it('is not judged for what nobody asked for', () => {
    expect(waitsOf({ ...seen(), deliver: [] }, calm, FACTOR)).toEqual([]);
  });
});
