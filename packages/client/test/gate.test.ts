import { expect, test } from 'vitest';
import { Gate, type Turn } from '../src/gate.js';

/** Takes so many turns; `begun` lists those that have come, by number. */
function turns(gate: Gate, count: number): { all: Turn[]; begun: number[] } {
  const begun: number[] = [];
  const all = Array.from({ length: count }, (_, n) => {
    const turn = gate.turn();
    turn.begun.then(() => begun.push(n));
    return turn;
  });
  return { all, begun };
}

const settled = () => new Promise(setImmediate);

test('so many are through at once, and the others follow in the order in which they came', async () => {
  const { all, begun } = turns(new Gate(2), 5);
  await settled();
  expect(begun).toEqual([0, 1]);
  all[1]?.end();
  await settled();
  expect(begun).toEqual([0, 1, 2]);
  for (const turn of all) turn.end();
  await settled();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('a turn that is given up twice makes room for one, and one that had not come is passed over', async () => {
  const { all, begun } = turns(new Gate(1), 4);
  all[1]?.end();
  all[0]?.end();
  all[0]?.end();
  await settled();
  expect(begun).toEqual([0, 2]);
});
