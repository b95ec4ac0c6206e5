import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { RoundBudget, Rounds } from '../../src/fairness/event-loop.js';

/** How many commands, or KiB, one connection may have of a turn of the event loop. */
const BUDGET = 64;

let budget: RoundBudget;

beforeEach(() => {
  budget = new RoundBudget(new Rounds());
});

/** How many times something may be spent in this turn. */
function most(spend: () => void): number {
  let times = 0;
  for (; !budget.isSpent && times < 10 * BUDGET; times += 1) spend();
  return times;
}

test('a connection has the same budget of each turn', async () => {
  for (let turns = 0; turns < 3; turns += 1) {
    expect(most(() => budget.spend())).toBe(BUDGET);
    await turn();
  }
});

test('content counts by the KiB, beside the piece in which it comes', () => {
  expect(most(() => budget.spend(31 * 1024))).toBe(BUDGET / 32);
});

test('others have their own', () => {
  const rounds = new Rounds();
  const [one, other] = [new RoundBudget(rounds), new RoundBudget(rounds)];
  one.spend(1024 * 1024);
  expect([one.isSpent, other.isSpent]).toEqual([true, false]);
});
