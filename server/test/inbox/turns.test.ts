import { expect, test } from 'vitest';
import { Turns } from '../../src/inbox/turns.js';

/** In which round of the event loop each of these was through, the running one being 0. */
async function roundsOf(begin: () => Promise<void>, count: number): Promise<number[]> {
  let round = 0;
  let isOver = false;
  const countRound = () => {
    round += 1;
    if (!isOver) setImmediate(countRound);
  };
  setImmediate(countRound);
  const rounds = await Promise.all(Array.from({ length: count }, () => begin().then(() => round)));
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

test('so have those who go on, in the order in which they ask', async () => {
  const turns = new Turns();
  expect(await roundsOf(() => turns.next(), 5)).toEqual([1, 2, 3, 4, 5]);
});

test('turns begin anew when nobody has waited for a while', async () => {
  const turns = new Turns();
  await roundsOf(() => turns.next(), 3);
  await new Promise(setImmediate);
  expect(await roundsOf(() => turns.first(), 1)).toEqual([0]);
});
