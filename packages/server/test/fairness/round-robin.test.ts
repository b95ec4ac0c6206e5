import { expect, test } from 'vitest';
import { RoundRobin, type RoundRobinOptions, shortenRound } from '../../src/fairness/event-loop.js';

interface Work {
  readonly client: string;
  readonly number: number;
}

const OPTIONS = { share: 2, atOnce: 4, most: 10 };

function start(options: Partial<RoundRobinOptions<Work>> = {}) {
  const begun: Work[] = [];
  const turns = new RoundRobin<Work>({ ...OPTIONS, ...options, begin: (work) => begun.push(work) });
  const take = (client: string, count: number) =>
    Array.from({ length: count }, (_, number) => turns.take(client, { client, number }));
  /** What was begun since the last time. */
  const since = () => begun.splice(0).map(({ client, number }) => `${client}${number}`);
  const round = async () => {
    await new Promise(setImmediate);
    return since();
  };
  const shortRound = () => {
    shortenRound();
    return round();
  };
  return { take, since, round, shortRound };
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

test('a round begins bounded work of all who wait, one piece each, and takes those first who have waited longest', async () => {
  const { take, since, round } = start();
  for (const client of ['a', 'b', 'c']) take(client, 5);
  since();
  expect(await round()).toEqual(['a2', 'b2', 'c2', 'a3']);
  expect(await round()).toEqual(['b3', 'c3', 'a4', 'b4']);
  expect(await round()).toEqual(['c4']);
});

test('in a round that is shortened, work that waits goes on slowly, and new work begins at once', async () => {
  const { take, since, round, shortRound } = start();
  for (const client of ['a', 'b']) take(client, 4);
  since();
  const begun: string[][] = [];
  for (let n = 0; n < 16; n += 1) begun.push(await shortRound());
  expect(begun.filter((works) => works.length > 0)).toEqual([['a2'], ['b2']]);
  take('c', 1);
  expect(since()).toEqual(['c0']);
  expect(await round()).toEqual(['a3', 'b3']);
});

test('while a crowd connects, work that is to wait for it does, goes on slowly, and at once when the crowd is over', async () => {
  const { take, since, round, shortRound } = start({ waitsForCrowd: true });
  shortenRound();
  take('a', 5);
  expect(since()).toEqual(['a0', 'a1']);
  await shortRound();
  shortenRound();
  for (const client of ['b', 'c', 'd']) take(client, 1);
  since();
  const begun: string[] = [];
  for (let n = 0; n < 16; n += 1) begun.push(...(await shortRound()));
  expect(begun).toHaveLength(2);
  await round();
  await round();
  since();
  take('e', 1);
  expect(since()).toEqual(['e0']);
});

test('where very many clients come at once, those who come last wait, in their order and before what others have more', async () => {
  const { take, since, round } = start({ newAtOnce: 3 });
  for (const client of ['a', 'b', 'c', 'd', 'e']) take(client, 2);
  expect(since()).toEqual(['a0', 'a1', 'b0']);
  expect(await round()).toEqual(['b1', 'c0', 'd0', 'e0']);
  expect(await round()).toEqual(['c1', 'd1', 'e1']);
});

test('work that the beginning of other work brings counts for the same round', async () => {
  const begun: string[] = [];
  const turns = new RoundRobin<string>({
    ...OPTIONS,
    newAtOnce: 2,
    begin: (client) => {
      begun.push(client);
      if (client === 'a') for (const next of ['b', 'c']) turns.take(next, next);
    },
  });
  turns.take('a', 'a');
  turns.take('d', 'd');
  expect(begun).toEqual(['a', 'b']);
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a large piece of work counts as several, and each client still has one', async () => {
  const { take, since, round } = start({ newAtOnce: 4, sizeOf: ({ client }) => (client === 'large' ? 4 : 1) });
  take('large', 3);
  take('a', 1);
  expect(since()).toEqual(['large0']);
  take('b', 2);
  expect(await round()).toEqual(['large1']);
  take('c', 2);
  expect(since()).toEqual(['c0', 'c1']);
  expect(await round()).toEqual(['a0', 'b0', 'large2']);
  expect(await round()).toEqual(['b1']);
});

test('so much of one client waits, and no more is taken', async () => {
  const { take, round } = start();
  expect(take('a', 14).filter((isTaken) => !isTaken)).toHaveLength(14 - OPTIONS.share - OPTIONS.most);
  expect(take('b', 1)).toEqual([true]);
  await round();
  expect(take('a', 1)).toEqual([true]);
});
