import { expect, test } from 'vitest';
import { Accounts } from '../../../src/inbox/threads/accounts.js';
import { FairQueue } from '../../../src/inbox/threads/fair-queue.js';

/** How long a mail of each client takes, put into its name: `a:10`. */
function msOf(client: string): number {
  return Number(client.split(':')[1]);
}

/** A queue and a reader that takes one mail at a time. */
class Reader {
  readonly accounts: Accounts;
  readonly #queue = new FairQueue<string>();
  #servedMs = 0;

  constructor(accounts = new Accounts()) {
    this.accounts = accounts;
  }

  add(client: string, mails: number): void {
    for (let mail = 0; mail < mails; mail += 1) {
      this.#queue.add({ account: this.accounts.open(client, this.#servedMs), item: `${client}#${mail}` });
    }
  }

  /** Reads so many mails; tells whose they were. */
  read(mails: number): string[] {
    return Array.from({ length: mails }, () => this.#readOne());
  }

  #readOne(): string {
    const { account, item } = this.#queue.take() ?? {};
    if (account === undefined || item === undefined) return 'none';
    this.#servedMs = account.usedMs;
    const expectedMs = this.accounts.expectedMs(account, 10_000);
    this.accounts.begin(account, expectedMs);
    this.accounts.end(account, 10_000, { expectedMs, usedMs: msOf(account.client) });
    this.accounts.close(account);
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
  const accounts = new Accounts();
  const queue = new FairQueue<number>();
  const account = accounts.open('a', 0);
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
  expect(reader.accounts.size).toBe(0);
});

test('made-up clients do not fill the memory while others wait', () => {
  const reader = new Reader(new Accounts(100));
  reader.add('busy:1', 10_000);
  for (let n = 0; n < 5_000; n += 1) {
    reader.add(`made-up-${n}:1`, 1);
    reader.read(2);
  }
  expect(reader.accounts.size).toBeLessThanOrEqual(110);
});

test('of clients that have used as much, that one is next that came first', () => {
  const accounts = new Accounts();
  const queue = new FairQueue<string>();
  for (const client of ['a', 'b', 'c']) queue.add({ account: accounts.open(client, 0), item: client });
  expect([queue.take()?.item, queue.take()?.item, queue.take()?.item]).toEqual(['a', 'b', 'c']);
});

test('what is being read counts as used, and no longer once it is taken back', () => {
  const accounts = new Accounts();
  const queue = new FairQueue<string>();
  const [a, b] = [accounts.open('a', 0), accounts.open('b', 0)];
  for (const account of [a, b, a, b]) queue.add({ account, item: account.client });
  const begin = () => {
    const { account } = queue.take() ?? {};
    if (account !== undefined) accounts.begin(account, 10);
    return account?.client;
  };
  expect([begin(), begin(), begin()]).toEqual(['a', 'b', 'a']);
  accounts.takeBack(a, 10);
  accounts.takeBack(a, 10);
  queue.putBack({ account: a, item: 'a' });
  expect([begin(), begin()]).toEqual(['a', 'b']);
});

test('what is expected of a client follows what its mails took, and hardly what those of others did', () => {
  const accounts = new Accounts();
  const costly = accounts.open('costly', 0);
  const read = () => accounts.end(costly, 10_000, { expectedMs: 0, usedMs: 1_000 });
  for (let mails = 0; mails < 5; mails += 1) read();
  expect(accounts.expectedMs(costly, 10_000)).toBeGreaterThan(900);
  expect(accounts.expectedMs(accounts.open('other', 0), 10_000)).toBeLessThan(100);
  for (let mails = 0; mails < 500; mails += 1) read();
  expect(accounts.expectedMs(accounts.open('third', 0), 10_000)).toBeGreaterThan(900);
});

test('nobody is forgotten whose mail waits', () => {
  const accounts = new Accounts(2);
  const waits = accounts.open('waits', 0);
  for (let n = 0; n < 20; n += 1) accounts.close(accounts.open(`made-up-${n}`, 0));
  expect(accounts.open('waits', 0)).toBe(waits);
});
