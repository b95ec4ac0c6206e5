import { expect, test } from 'vitest';
import { FairQueue } from '../../src/fairness/fair-queue.js';

/** How long a mail of each client takes, put into its name: `a:10`. */
function msOf(client: string): number {
  return Number(client.split(':')[1]);
}

/** A queue and a reader that takes one mail at a time. */
class Reader {
  readonly queue: FairQueue<string>;

  constructor(queue = new FairQueue<string>()) {
    this.queue = queue;
  }

  add(client: string, mails: number): void {
    for (let mail = 0; mail < mails; mail += 1) {
      this.queue.add({ account: this.queue.open(client), item: `${client}#${mail}` });
    }
  }

  /** Reads so many mails; tells whose they were. */
  read(mails: number): string[] {
    return Array.from({ length: mails }, () => this.#readOne());
  }

  #readOne(): string {
    const { account, item } = this.queue.take() ?? {};
    if (account === undefined || item === undefined) return 'none';
    const expectedMs = this.queue.expectedMs(account, 10_000);
    this.queue.begin(account, expectedMs);
    this.queue.end(account, 10_000, { expectedMs, usedMs: msOf(account.client) });
    this.queue.close(account);
    return item;
  }
}

function counted(items: readonly string[], client: string): number {
  return items.filter((item) => item.startsWith(client)).length;
}

test('clients get the same time, however long each of their mails takes', () => {
  const reader = new Reader();
  reader.add('costly:30', 100);
  reader.add('cheap:1', 300);
  reader.add('middle:6', 100);
  // 10 of 30 ms, 50 of 6 and 300 of 1 are 300 ms each.
  const first = reader.read(360);
  expect(Math.abs(counted(first, 'costly') - 10)).toBeLessThanOrEqual(1);
  expect(Math.abs(counted(first, 'middle') - 50)).toBeLessThanOrEqual(1);
  expect(Math.abs(counted(first, 'cheap') - 300)).toBeLessThanOrEqual(2);
});

test('mails of one client are read in the order in which they came', () => {
  const reader = new Reader();
  reader.add('a:1', 5);
  reader.add('b:1', 5);
  expect(reader.read(10).filter((item) => item.startsWith('a'))).toEqual(['a:1#0', 'a:1#1', 'a:1#2', 'a:1#3', 'a:1#4']);
});

test('whoever comes is next, however much others have waiting', () => {
  const reader = new Reader();
  reader.add('flood:30', 1000);
  reader.read(20);
  reader.add('new:1', 1);
  expect(reader.read(2)).toContain('new:1#0');
});

test('a thousand clients that come are next, each once, before a flood goes on', () => {
  const reader = new Reader();
  reader.add('flood:30', 1000);
  reader.read(20);
  for (let n = 0; n < 1000; n += 1) reader.add(`new-${n}:1`, 1);
  expect(counted(reader.read(1001), 'flood')).toBeLessThanOrEqual(1);
});

test('who did nothing for long has saved up no time', () => {
  const reader = new Reader();
  reader.add('idle:10', 1);
  reader.add('busy:10', 1000);
  reader.read(500);
  reader.add('idle:10', 1000);
  expect(Math.abs(counted(reader.read(20), 'idle') - 10)).toBeLessThanOrEqual(1);
});

test('who was costly and comes again waits for those that were not, but not for ever', () => {
  const reader = new Reader();
  reader.add('other:10', 1000);
  reader.add('costly:60000', 1);
  reader.read(2);
  reader.add('costly:60000', 1);
  // A second of others' mail, of 10 ms each.
  const next = reader.read(102);
  expect(next.findIndex((item) => item.startsWith('costly'))).toBeGreaterThan(90);
});

test('what is taken back is next of its client', () => {
  const queue = new FairQueue<number>();
  const account = queue.open('a');
  for (const item of [1, 2, 3]) queue.add({ account, item });
  const taken = [queue.take(), queue.take()];
  for (const entry of taken.toReversed()) if (entry) queue.putBack(entry);
  expect([queue.take()?.item, queue.take()?.item, queue.take()?.item, queue.take()]).toEqual([1, 2, 3, undefined]);
  expect(queue.isEmpty).toBe(true);
});

test('nobody is remembered once nothing waits', () => {
  const reader = new Reader();
  for (let n = 0; n < 10; n += 1) reader.add(`c-${n}:5`, 2);
  reader.read(20);
  expect(reader.queue.size).toBe(0);
});

test('made-up clients do not fill the memory while others wait', () => {
  const reader = new Reader(new FairQueue(100));
  reader.add('busy:1', 10_000);
  for (let n = 0; n < 5_000; n += 1) {
    reader.add(`made-up-${n}:1`, 1);
    reader.read(2);
  }
  expect(reader.queue.size).toBeLessThanOrEqual(110);
});

test('of clients that have used as much, that one is next that came first', () => {
  const queue = new FairQueue<string>();
  for (const client of ['a', 'b', 'c']) queue.add({ account: queue.open(client), item: client });
  expect([queue.take()?.item, queue.take()?.item, queue.take()?.item]).toEqual(['a', 'b', 'c']);
});

test('what is being read counts as used, and no longer once it is taken back', () => {
  const queue = new FairQueue<string>();
  const [a, b] = [queue.open('a'), queue.open('b')];
  for (const account of [a, b, a, b]) queue.add({ account, item: account.client });
  const begin = () => {
    const { account } = queue.take() ?? {};
    if (account !== undefined) queue.begin(account, 10);
    return account?.client;
  };
  expect([begin(), begin(), begin()]).toEqual(['a', 'b', 'a']);
  queue.takeBack(a, 10);
  queue.takeBack(a, 10);
  queue.putBack({ account: a, item: 'a' });
  expect([begin(), begin()]).toEqual(['a', 'b']);
});

test('what is expected of a client follows what its mails took, and hardly what those of others did', () => {
  const queue = new FairQueue();
  const costly = queue.open('costly');
  const read = () => queue.end(costly, 10_000, { expectedMs: 0, usedMs: 1_000 });
  for (let mails = 0; mails < 5; mails += 1) read();
  expect(queue.expectedMs(costly, 10_000)).toBeGreaterThan(900);
  expect(queue.expectedMs(queue.open('other'), 10_000)).toBeLessThan(100);
  for (let mails = 0; mails < 500; mails += 1) read();
  expect(queue.expectedMs(queue.open('third'), 10_000)).toBeGreaterThan(900);
});

test('nobody is forgotten whose mail waits', () => {
  const queue = new FairQueue(2);
  const waits = queue.open('waits');
  for (let n = 0; n < 20; n += 1) queue.close(queue.open(`made-up-${n}`));
  expect(queue.open('waits')).toBe(waits);
});

/** Reads what is next of a queue, which was expected to take so long. Ends it when the returned function is told how long it took. */
function beginNext(queue: FairQueue<string>, expectedMs: number) {
  const { account, item } = queue.take() ?? {};
  if (account === undefined) throw new Error('Nothing waits.');
  queue.begin(account, expectedMs);
  const end = (usedMs: number) => {
    queue.end(account, 10_000, { expectedMs, usedMs });
    queue.close(account);
  };
  return { item, end };
}

test('a client whose mail took less than was expected is no longer behind for what was expected', () => {
  const queue = new FairQueue<string>();
  const add = (client: string) => queue.add({ account: queue.open(client), item: client });
  add('large');
  const large = beginNext(queue, 100_000);
  add('large');
  for (let mails = 0; mails < 100; mails += 1) add('other');
  for (let mails = 0; mails < 3; mails += 1) {
    const other = beginNext(queue, 10);
    expect(other.item).toBe('other');
    other.end(10);
  }
  large.end(20);
  expect(beginNext(queue, 1).item).toBe('large');
});

test('a client whose mail is given back is no longer behind for it', () => {
  const queue = new FairQueue<string>();
  const large = queue.open('large');
  queue.begin(large, 100_000);
  for (const client of ['large', 'other']) queue.add({ account: queue.open(client), item: client });
  const other = beginNext(queue, 10);
  expect(other.item).toBe('other');
  queue.add({ account: queue.open('other'), item: 'other' });
  other.end(10);
  queue.takeBack(large, 100_000);
  queue.putBack({ account: large, item: 'large, again' });
  expect(beginNext(queue, 1).item).toBe('large, again');
});

test('who comes is put where those are who are served, also when one is served late that has used little', () => {
  const queue = new FairQueue<string>();
  const add = (client: string, items: number) => {
    for (let item = 0; item < items; item += 1) queue.add({ account: queue.open(client), item: client });
  };
  add('a', 2);
  const first = beginNext(queue, 100_000);
  add('b', 10);
  for (let items = 0; items < 6; items += 1) beginNext(queue, 100).end(100);
  // Its turn comes when others have been served that had used more.
  first.end(1);
  expect(beginNext(queue, 1_000).item).toBe('a');
  add('new', 10);
  const ofNew = beginNext(queue, 200);
  expect(ofNew.item).toBe('new');
  ofNew.end(200);
  expect(beginNext(queue, 1).item).toBe('b');
});

test('who may not have a turn is passed over, and is next when he may', () => {
  const queue = new FairQueue<string>();
  for (const client of ['a', 'b', 'a']) queue.add({ account: queue.open(client), item: client });
  const notA = (account: { client: string }) => account.client !== 'a';
  expect(queue.first(notA)?.item).toBe('b');
  expect(queue.take(notA)?.item).toBe('b');
  expect(queue.take(notA)).toBeUndefined();
  expect(queue.isEmpty).toBe(false);
  expect([queue.take()?.item, queue.take()?.item, queue.isEmpty]).toEqual(['a', 'a', true]);
});

test('who is passed over keeps his place by what he has used', () => {
  const queue = new FairQueue<string>();
  const [a, b, c] = ['a', 'b', 'c'].map((client) => queue.open(client));
  if (!a || !b || !c) throw new Error('No queue.');
  for (const account of [a, b, c]) queue.add({ account, item: account.client });
  queue.begin(a, 50);
  queue.begin(b, 100);
  const notC = (account: unknown) => account !== c;
  expect(queue.first(notC)?.item).toBe('a');
  expect(['c', 'a', 'b']).toEqual([queue.take()?.item, queue.take()?.item, queue.take()?.item]);
});

test('what is taken out is never next, and leaves the others where they are', () => {
  const queue = new FairQueue<string>();
  const [a, b] = [queue.open('a'), queue.open('b')];
  for (const item of ['a1', 'a2', 'a3']) queue.add({ account: a, item });
  queue.add({ account: b, item: 'b1' });
  expect(queue.remove({ account: a, item: 'a2' })).toBe(true);
  expect(queue.remove({ account: a, item: 'a2' })).toBe(false);
  expect(queue.remove({ account: b, item: 'b1' })).toBe(true);
  expect(queue.remove({ account: b, item: 'b1' })).toBe(false);
  expect([queue.take()?.item, queue.take()?.item, queue.take()]).toEqual(['a1', 'a3', undefined]);
  expect(queue.isEmpty).toBe(true);
});

test('ten thousand clients that wait for nothing are remembered while somebody waits, and no more', () => {
  const queue = new FairQueue();
  queue.open('busy');
  let most = 0;
  for (let n = 0; n < 30_000; n += 1) {
    queue.close(queue.open(`client ${n}`));
    most = Math.max(most, queue.size);
  }
  // Beside the one that waits.
  expect(most - 1).toBeGreaterThanOrEqual(10_000);
  expect(most - 1).toBeLessThanOrEqual(10_001);
});
