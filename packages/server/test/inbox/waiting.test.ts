import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Turns } from '../../src/fairness/event-loop.js';
import { filterIndex } from '../../src/inbox/read/filter.js';
import type { Selection } from '../../src/inbox/read/selecting.js';
import { Arrivals } from '../../src/inbox/wait/arrivals.js';
import { PassedOver, WAIT_MS, type Wait, Waiting } from '../../src/inbox/wait/waiting.js';
import { openMemoryStore } from '../../src/store/memory.js';
import type { Store, StoredEmail } from '../../src/store/store.js';
import { ManualClock } from '../manual-clock.js';
import { delivery, ROOMY } from '../store/mail.js';

let clock: ManualClock;
let store: Store;
let arrivals: Arrivals<Wait>;
let passedOver: PassedOver;
/** The emails that a filter was shown, by their `receivedAt`, in that order. */
let looked: number[];

beforeEach(() => {
  clock = new ManualClock();
  store = openMemoryStore(ROOMY);
  arrivals = new Arrivals<Wait>(store);
  passedOver = new PassedOver();
  looked = [];
  const scan = store.scan.bind(store);
  store.scan = async (...query) => {
    const scanned = await scan(...query);
    looked.push(...scanned.map(({ email }) => email.receivedAt));
    return scanned;
  };
});

afterEach(() => store.close());

/** Mail with a subject comes in, as `Inboxes.deliver` has it. */
async function mail(subject: string, bodyLength = 10): Promise<void> {
  await mailElsewhere(subject, bodyLength);
  arrivals.announce(new Set(['a']));
}

/** The same in another process, of which the store calls nobody. */
async function mailElsewhere(subject: string, bodyLength = 10): Promise<void> {
  const values = { from: '', subject, body: 'x'.repeat(bodyLength), otp: null, magicLink: null };
  await store.append(delivery('a', clock.now(), { index: filterIndex(values) }), clock.now());
}

function begin(selection: Selection, signal = new AbortController().signal) {
  const wait = { isOver: false, email: null as StoredEmail | null };
  const promise = new Promise<void>((resolve, reject) => {
    const over = (email: StoredEmail | null) => {
      Object.assign(wait, { isOver: true, email });
      resolve();
    };
    const waiting = new Waiting({ store, arrivals, passedOver, clock, turns: new Turns() });
    const begun = waiting.begin('a', selection, {
      ...{ way: 'stream', client: '192.0.2.1' },
      ...{ found: over, timedOut: () => over(null), failed: reject },
    });
    const leave = () => {
      begun.leave();
      resolve();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });
  return Object.assign(wait, { promise });
}

describe('whoever has waited is not called any more', () => {
  test('once the email came', async () => {
    const wait = begin({});
    await clock.advance(0);
    expect(arrivals.size).toBe(1);
    await mail('hello');
    await wait.promise;
    expect(wait.email).toMatchObject({ receivedAt: clock.now() });
    expect(arrivals.size).toBe(0);
  });

  test('once an email was found at the first look', async () => {
    await mail('hello');
    const wait = begin({});
    expect(wait.isOver).toBe(true);
    expect(arrivals.size).toBe(0);
  });

  test('once the time is over', async () => {
    const wait = begin({ subject: 'never' });
    await clock.advance(WAIT_MS);
    expect(wait).toMatchObject({ isOver: true, email: null });
    expect(arrivals.size).toBe(0);
  });

  test('once the client has left', async () => {
    const leaving = new AbortController();
    const wait = begin({}, leaving.signal);
    await clock.advance(0);
    leaving.abort();
    await wait.promise;
    expect(wait.email).toBeNull();
    expect(arrivals.size).toBe(0);
  });

  test('once the store could not be watched', async () => {
    store.watch = () => {
      throw new Error('no');
    };
    await expect(begin({}).promise).rejects.toThrow('no');
    expect(arrivals.size).toBe(0);
  });

  test('once the store has failed', async () => {
    store.list = () => Promise.reject(new Error('no'));
    await expect(begin({}).promise).rejects.toThrow('no');
    expect(arrivals.size).toBe(0);
  });

  test('and another that waits for the same inbox still is', async () => {
    const leaving = new AbortController();
    const [first, second] = [begin({}, leaving.signal), begin({})];
    await clock.advance(0);
    leaving.abort();
    await first.promise;
    expect(arrivals.size).toBe(1);
    await mail('hello');
    await second.promise;
    expect(second.email).not.toBeNull();
  });
});

test('mail that arrives while a look is under way is found by another look', async () => {
  const list = store.list.bind(store);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  store.list = async (...query) => {
    const listed = await list(...query);
    await answered;
    return listed;
  };
  const wait = begin({});
  await mail('hello');
  answer();
  await clock.advance(WAIT_MS);
  expect(wait.isOver).toBe(true);
  expect(wait.email).not.toBeNull();
});

describe('a check of the schedule', () => {
  test.each([
    { said: 'that not all was told', answer: async () => false },
    { said: 'nothing, since it is away', answer: () => Promise.reject(new Error('away')) },
    {
      said: 'nothing, since it is closed',
      answer: () => {
        throw new Error('closed');
      },
    },
  ])('finds mail where the store says $said', async ({ answer }) => {
    store.hasToldAll = answer;
    const wait = begin({});
    await clock.advance(600);
    await mailElsewhere('hello');
    expect(wait.isOver).toBe(false);
    await clock.advance(400);
    await wait.promise;
    expect(wait.email).not.toBeNull();
  });

  test('is over once the store has said that all was told, and what arrives meanwhile is found', async () => {
    const answers: ((hasToldAll: boolean) => void)[] = [];
    store.hasToldAll = () => new Promise((resolve) => answers.push(resolve));
    const [late, found] = [begin({}), begin({})];
    await clock.advance(WAIT_MS);
    expect([late.isOver, found.isOver]).toEqual([false, false]);
    for (const answer of answers.slice(0, -1)) answer(true);
    await late.promise;
    expect(late).toMatchObject({ isOver: true, email: null });
    expect(found.isOver).toBe(false);
    await mail('hello');
    await found.promise;
    expect(found.email).not.toBeNull();
  });

  test('looks where mail was announced and its turn has not come', async () => {
    const many = Array.from({ length: 120 }, () => begin({ subject: 'never' }));
    const last = begin({});
    let finish = (_hasToldAll: boolean) => {};
    store.hasToldAll = () => new Promise((resolve) => (finish = resolve));
    await clock.advance(WAIT_MS);
    await mailElsewhere('hello');
    arrivals.announce(new Set(['a']));
    finish(true);
    await last.promise;
    expect(last.email).not.toBeNull();
    await Promise.all(many.map(({ promise }) => promise));
  });
});

describe('what a filter has let go by', () => {
  test('is not looked at again, at any check and whatever arrives', async () => {
    for (let i = 0; i < 5; i++) await mail('nothing of it');
    const wait = begin({ subject: 'wanted' });
    await clock.advance(4_000);
    for (let i = 0; i < 3; i++) {
      await mail('nothing of it');
      await clock.advance(1_500);
    }
    expect(new Set(looked).size).toBe(8);
    expect(looked).toHaveLength(8);
    await mail('wanted');
    await wait.promise;
    expect(wait.isOver).toBe(true);
    expect(looked).toHaveLength(9);
  });

  test('is not looked at again by the next that waits for the same, which finds what comes', async () => {
    for (let i = 0; i < 5; i++) await mail('nothing of it');
    for (let i = 0; i < 3; i++) {
      const leaving = new AbortController();
      const wait = begin({ subject: 'wanted' }, leaving.signal);
      await clock.advance(100);
      leaving.abort();
      await wait.promise;
    }
    expect(looked).toHaveLength(5);
    const other = begin({ subject: 'nothing' });
    await other.promise;
    expect(other.email).not.toBeNull();
    await mail('wanted');
    const last = begin({ subject: 'wanted' });
    await last.promise;
    expect(last.email).toMatchObject({ receivedAt: clock.now() });
  });

  test('is looked at again when the client had left before its end, or asks for earlier mail', async () => {
    for (let i = 0; i < 300; i++) await mail(i === 0 ? 'wanted' : 'nothing of it', 5_000);
    const leaving = new AbortController();
    const scan = store.scan;
    store.scan = (...query) => {
      leaving.abort();
      return scan(...query);
    };
    const left = begin({ subject: 'wanted' }, leaving.signal);
    await left.promise;
    store.scan = scan;
    const [oldest] = (await store.list('a', {}, clock.now())).slice(-1) as [StoredEmail];
    const later = begin({ subject: 'wanted', after: oldest.receivedAt });
    await clock.advance(WAIT_MS);
    expect(later).toMatchObject({ isOver: true, email: null });
    const again = begin({ subject: 'wanted' });
    await again.promise;
    expect(again.email).toMatchObject({ receivedAt: oldest.receivedAt });
  });

  test('is looked at again when the clock was put back', async () => {
    await mail('nothing of it');
    const wait = begin({ subject: 'wanted' });
    await clock.advance(WAIT_MS);
    expect(wait.isOver).toBe(true);
    expect(passedOver.after('a', { subject: 'wanted' }, clock.now())).toBeGreaterThan(0);
    expect(passedOver.after('a', { subject: 'wanted' }, 1)).toBeUndefined();
  });

  test('is remembered for bounded filters alone, the last of them', () => {
    const long = { body: 'x'.repeat(2_000) };
    passedOver.note('a', long, 5);
    expect(passedOver.after('a', long, 9)).toBeUndefined();
    for (let i = 0; i <= 1_000; i++) passedOver.note('a', { body: `${i}` }, 5);
    expect(passedOver.after('a', { body: '0' }, 9)).toBeUndefined();
    expect(passedOver.after('a', { body: '1' }, 9)).toBe(5);
    expect(passedOver.after('b', { body: '1' }, 9)).toBeUndefined();
    passedOver.note('a', { body: '1' }, 6);
    passedOver.note('a', { body: 'another' }, 5);
    expect(passedOver.after('a', { body: '1' }, 9)).toBe(6);
    expect(passedOver.after('a', { body: '2' }, 9)).toBeUndefined();
  });

  test('is the last that is looked at when the client leaves in the middle', async () => {
    for (let i = 0; i < 500; i++) await mail('nothing of it', 5_000);
    const leaving = new AbortController();
    const scan = store.scan;
    store.scan = (...query) => {
      leaving.abort();
      return scan(...query);
    };
    const wait = begin({ subject: 'wanted' }, leaving.signal);
    await wait.promise;
    expect(wait.email).toBeNull();
    expect(looked.length).toBeGreaterThan(0);
    expect(looked.length).toBeLessThan(100);
  });
});
