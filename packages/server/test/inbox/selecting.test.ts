import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Turns } from '../../src/fairness/event-loop.js';
import { filterIndex } from '../../src/inbox/read/filter.js';
import { select } from '../../src/inbox/read/selecting.js';
import { openMemoryStore } from '../../src/store/memory.js';
import type { Store } from '../../src/store/store.js';
import { delivery, NOON, ROOMY } from '../store/mail.js';

const EMAILS = 400;
const BODY_CHARS = 5_000;

const never = new AbortController().signal;
let store: Store;
/** What was read of the store at a time: emails, and bytes of index. */
let shares: { emails: number; bytes: number }[];

beforeEach(async () => {
  store = openMemoryStore(ROOMY);
  shares = [];
  const [scan, list] = [store.scan.bind(store), store.list.bind(store)];
  store.scan = async (...query) => {
    const scanned = await scan(...query);
    shares.push({ emails: scanned.length, bytes: scanned.reduce((sum, { index }) => sum + index.length, 0) });
    return scanned;
  };
  store.list = async (...query) => {
    const listed = await list(...query);
    shares.push({ emails: listed.length, bytes: 0 });
    return listed;
  };
  for (let i = 0; i < EMAILS; i++) {
    const subject = i % 2 === 0 ? 'even' : 'odd';
    const values = { from: '', subject, body: 'x'.repeat(BODY_CHARS), otp: null, magicLink: null };
    await store.append(delivery('a', NOON + i, { index: filterIndex(values) }), NOON);
  }
});

afterEach(() => store.close());

function look(selection: object, signal = never) {
  return { inbox: 'a', selection, now: NOON, signal };
}

const numbers = Array.from({ length: EMAILS }, (_, i) => EMAILS - 1 - i);

describe('selecting emails of a full inbox', () => {
  test.each([
    { selection: {}, expected: numbers },
    { selection: { subject: 'EVEN' }, expected: numbers.filter((i) => i % 2 === 0) },
    { selection: { subject: 'even', after: NOON + 300 }, expected: numbers.filter((i) => i % 2 === 0 && i > 300) },
    { selection: { after: NOON + 390 }, expected: numbers.filter((i) => i > 390) },
    { selection: { subject: 'neither' }, expected: [] },
  ])('finds what $selection asks for, newest first', async ({ selection, expected }) => {
    const selected = await select({ store, turns: new Turns() }, look(selection));
    expect(selected.map(({ receivedAt }) => receivedAt - NOON)).toEqual(expected);
  });

  test('reads bounded bytes at a time, and others have a turn before it reads on', async () => {
    let turns = 0;
    let isOver = false;
    const others = () => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    await select({ store, turns: new Turns() }, look({ subject: 'neither' }));
    isOver = true;
    expect(shares.length).toBeGreaterThan(5);
    expect(Math.max(...shares.map(({ bytes }) => bytes))).toBeLessThanOrEqual(128 * 1024);
    expect(turns).toBeGreaterThanOrEqual(shares.length - 1);
  });

  test('lists bounded emails at a time', async () => {
    await select({ store, turns: new Turns() }, look({}));
    expect(Math.max(...shares.map(({ emails }) => emails))).toBeLessThan(EMAILS);
  });

  test.each([{ subject: 'neither' }, {}])('with %j ends when nobody wants it any more', async (selection) => {
    const leaving = new AbortController();
    const selecting = select({ store, turns: new Turns() }, look(selection, leaving.signal));
    leaving.abort();
    await selecting;
    expect(shares).toHaveLength(1);
    await select({ store, turns: new Turns() }, look(selection, leaving.signal));
    expect(shares).toHaveLength(1);
  });

  test('a filter looks at nothing before its turn, and somebody may leave until then', async () => {
    const turns = new Turns();
    turns.first();
    const leaving = new AbortController();
    const selecting = select({ store, turns }, look({ subject: 'neither' }, leaving.signal));
    leaving.abort();
    await selecting;
    expect(shares).toHaveLength(0);
  });
});
