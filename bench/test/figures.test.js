import { describe, expect, it } from 'vitest';
import { aheadIn, besideRow, figure } from '../figures.js';

const RATE = { what: 'rate', unit: 'mails/s', better: 'more' };

describe('a figure', () => {
  it('is the median of its rounds, and its ratio that of the rounds, not that of the medians', () => {
    const found = figure({ ...RATE, ours: [10, 40, 90], against: 'sink', theirs: [100, 50, 100] });
    expect(found).toMatchObject({ ours: 40, theirs: 100, ratio: 0.8, aim: null, isHeld: null });
  });

  it('compares medians where what is beside it was measured another number of times', () => {
    expect(figure({ ...RATE, ours: [10, 20, 30], theirs: 40 }).ratio).toBe(0.5);
  });

  it.each([
    ['more', 0.4, true],
    ['more', 0.41, false],
    ['less', 0.4, true],
    ['less', 0.39, false],
  ])('that should be %s than %f is judged by its ratio', (better, aim, isHeld) => {
    expect(figure({ ...RATE, better, ours: 40, theirs: 100, aim }).isHeld).toBe(isHeld);
  });

  it('without anything beside it is judged by itself', () => {
    expect(figure({ ...RATE, better: 'less', ours: [3], aim: 3 })).toMatchObject({ ratio: null, isHeld: true });
  });

  it('is judged by itself where the aim says so, whatever is beside it', () => {
    const found = figure({ ...RATE, better: 'less', ours: 0.9, theirs: 0.2, aim: 1, judges: 'value' });
    expect(found).toMatchObject({ ratio: 4.5, isHeld: true });
  });
});

describe('a row beside other servers', () => {
  it('has the medians, and leaves out who has no figure', () => {
    const values = { Mayfly: [1, 2, 9], A: [Number.NaN], B: 5 };
    expect(besideRow({ subject: 's', unit: 'ms', better: 'less', values }).values).toEqual({ Mayfly: 2, B: 5 });
  });

  it.each([
    ['more', [104, 106, 200], ['C', 'B']],
    ['less', [96, 94, 50], ['C', 'B']],
    ['more', [94, 50, 20], []],
  ])('tells who is ahead where %s is better, the best first', (better, [A, B, C], ahead) => {
    expect(aheadIn({ better, values: { Mayfly: 100, A, B, C } })).toEqual(ahead);
  });
});
