import { describe, expect, it } from 'vitest';
import { figure, isBehind } from '../figures.js';

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

  it.each([
    ['more', 94, true],
    ['more', 96, false],
    ['less', 106, true],
    ['less', 104, false],
  ])('is behind when it should be %s and is %i of 100', (better, ours, behind) => {
    expect(isBehind(figure({ ...RATE, better, ours, theirs: 100 }))).toBe(behind);
  });

  it('is behind nobody when nothing was measured beside it', () => {
    expect(isBehind(figure({ ...RATE, ours: 1 }))).toBe(false);
  });

  it('is behind nobody where what was measured beside it is ours', () => {
    expect(isBehind(figure({ ...RATE, ours: 1, theirs: 100, isOwn: true }))).toBe(false);
  });
});
