import { expect, test } from 'vitest';
import type { MaybePromise } from '../../src/base/maybe-promise.js';
import { shortenRound, Turns } from '../../src/fairness/event-loop.js';

/** In which round of the event loop each of these was through, the running one being 0. */
async function roundsOf(begin: () => MaybePromise<void>, count: number): Promise<number[]> {
  let round = 0;
  let isOver = false;
  const countRound = () => {
    round += 1;
    if (!isOver) setImmediate(countRound);
  };
  setImmediate(countRound);
  const rounds = await Promise.all(
    Array.from({ length: count }, async () => {
      await begin();
      return round;
    }),
  );
  isOver = true;
  return rounds;
}

test('who begins alone waits for nothing', async () => {
  const turns = new Turns();
  expect(await roundsOf(() => turns.first(), 1)).toEqual([0]);
});

test('of those who begin at the same moment one has its turn each time the event loop comes round', async () => {
  const turns = new Turns();
  expect(await roundsOf(() => turns.first(), 5)).toEqual([0, 1, 2, 3, 4]);
});

test('turns are given one at a time, in the order in which they are asked for', async () => {
  const turns = new Turns();
  const given: string[] = [];
  let rounds = 0;
  const roundsAt: number[] = [];
  const count = () => {
    rounds += 1;
    if (given.length < 6) setImmediate(count);
  };
  const work = async (name: string) => {
    for (let i = 0; i < 2; i++) {
      await turns.next();
      given.push(name);
      roundsAt.push(rounds);
    }
  };
  setImmediate(count);
  await Promise.all(['a', 'b', 'c'].map(work));
  expect(given).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  expect(new Set(roundsAt).size).toBe(6);
});

test('in rounds that are shortened, one in eight gives a turn, and in the others each', async () => {
  const turns = new Turns();
  let left = 16;
  const shorten = () => {
    left -= 1;
    shortenRound();
    if (left > 0) setImmediate(shorten);
  };
  shorten();
  const rounds = await roundsOf(() => turns.next(), 4);
  const [first = 0, second = 0, third = 0, fourth = 0] = rounds;
  expect(first).toBeLessThanOrEqual(8);
  expect(second - first).toBe(8);
  expect([third, fourth]).toEqual([16, 17]);
});

test('turns begin anew when nobody has waited for a while', async () => {
  const turns = new Turns();
  await roundsOf(() => turns.next(), 3);
  await new Promise(setImmediate);
  expect(await roundsOf(() => turns.first(), 1)).toEqual([0]);
});
