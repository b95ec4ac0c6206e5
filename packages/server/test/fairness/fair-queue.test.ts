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

test('nobody is forgotten whose mail waits', () => {
  const queue = new FairQueue(2);
  const waits = queue.open('waits');
  for (let n = 0; n < 20; n += 1) queue.close(queue.open(`made-up-${n}`));
  expect(queue.open('waits')).toBe(waits);
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
