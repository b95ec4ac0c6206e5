import { expect, test } from 'vitest';
import { RoundRobin } from '../../src/fairness/event-loop.js';

interface Work {
  readonly client: string;
  readonly number: number;
}

const OPTIONS = { share: 2, atOnce: 4, most: 10 };

function start() {
  const begun: Work[] = [];
  const turns = new RoundRobin<Work>({ ...OPTIONS, begin: (work) => begun.push(work) });
  const take = (client: string, count: number) =>
    Array.from({ length: count }, (_, number) => turns.take(client, { client, number }));
  /** What was begun since the last time. */
  const since = () => begun.splice(0).map(({ client, number }) => `${client}${number}`);
  const round = async () => {
    await new Promise(setImmediate);
    return since();
  };
  return { take, since, round };
}

test('a client begins its share at once and the rest in later rounds, in its order; others never wait for it', async () => {
  const { take, since, round } = start();
  take('a', 6);
  take('b', 1);
  expect(since()).toEqual(['a0', 'a1', 'b0']);
  take('c', 2);
  expect(since()).toEqual(['c0', 'c1']);
  expect(await round()).toEqual(['a2', 'a3']);
  take('b', 2);
  expect(since()).toEqual(['b0', 'b1']);
  expect(await round()).toEqual(['a4', 'a5']);
  expect(await round()).toEqual([]);
});

test('what comes while something of the client waits goes behind it', async () => {
  const { take, since, round } = start();
  take('a', 3);
  since();
  const waiting = round();
  take('a', 1);
  expect(await waiting).toEqual(['a2', 'a0']);
});

test('what is begun in a round, late or at once, is the share of that round', async () => {
  const { take, since, round } = start();
  take('a', 4);
  since();
  expect(await round()).toEqual(['a2', 'a3']);
  take('a', 1);
  expect(since()).toEqual([]);
  expect(await round()).toEqual(['a0']);
  take('a', 2);
  expect(since()).toEqual(['a0']);
  expect(await round()).toEqual(['a1']);
  expect(await round()).toEqual([]);
  take('a', 2);
  expect(since()).toEqual(['a0', 'a1']);
});

test('a round begins bounded work of all who wait, and takes those first who have waited longest', async () => {
  const { take, since, round } = start();
  for (const client of ['a', 'b', 'c']) take(client, 5);
  since();
  expect(await round()).toEqual(['a2', 'a3', 'b2', 'b3']);
  expect(await round()).toEqual(['c2', 'c3', 'a4', 'b4']);
  expect(await round()).toEqual(['c4']);
});

test('so much of one client waits, and no more is taken', async () => {
  const { take, round } = start();
  expect(take('a', 14).filter((isTaken) => !isTaken)).toHaveLength(14 - OPTIONS.share - OPTIONS.most);
  expect(take('b', 1)).toEqual([true]);
  await round();
  expect(take('a', 1)).toEqual([true]);
});
