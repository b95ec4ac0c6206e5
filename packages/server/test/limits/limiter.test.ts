import { expect, test } from 'vitest';
import { withAnswer } from '../../src/base/maybe-promise.js';

test('an answer that is there is gone on with at once, one that is not later', async () => {
  const seen: number[] = [];
  const note = (answer: number) => {
    seen.push(answer);
    return answer + 1;
  };
  expect(withAnswer(1, note)).toBe(2);
  expect(seen).toEqual([1]);
  const later = withAnswer(Promise.resolve(5), note);
  expect(seen).toEqual([1]);
  expect(await later).toBe(6);
});
