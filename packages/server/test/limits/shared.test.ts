import { describe, expect, test } from 'vitest';
import { openLog } from '../../src/base/log.js';
import { NoRoomError, type SharedCounts } from '../../src/limits/limits.js';
import { NotCountedError } from '../../src/limits/rate-limiter.js';
import { LEASE_MS, sharedLimits } from '../../src/limits/shared/shared-limits.js';
import { ManualClock } from '../manual-clock.js';

const RATE = { count: 2, windowMs: 10_000 };

type Answer = number | boolean | undefined | Error | Promise<never>;

/** A store that answers what it is told to, and notes what it was asked. */
class Asked {
  readonly questions: string[] = [];
  answer: Answer = 0;

  get counts(): SharedCounts {
    const note =
      (question: string) =>
      (...args: unknown[]) => {
        this.questions.push([question, ...args.map((arg) => (typeof arg === 'string' ? arg : ''))].join(' ').trim());
        const { answer } = this;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as never);
      };
    const names = ['use', 'wait', 'useName', 'giveBackName', 'hold', 'renew', 'free'] as const;
    return Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as SharedCounts;
  }
}

function limits() {
  const asked = new Asked();
  const clock = new ManualClock();
  return { asked, clock, limits: sharedLimits(asked.counts, clock, openLog('silent', 'json')) };
}

const AWAY = new Error('away');
const SILENT = new Promise<never>(() => {});

/** Whether a promise is settled once everything that is due has been done. */
async function isSettled(promise: unknown): Promise<boolean> {
  let settled = false;
  Promise.resolve(promise).then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise(setImmediate);
  return settled;
}

describe('a limit that nodes share', () => {
  test('is asked for each use, and not for what is known to be refused until the time that was told', async () => {
    const { asked, limits: shared } = limits();
    const limiter = shared.rate('fetch', { ...RATE, count: 20 });
    expect(await limiter.take('a', 0)).toBe(0);
    asked.answer = 5_000;
    expect(await limiter.take('a', 100)).toBe(5_000);
    expect(asked.questions).toEqual(['use fetch:a', 'use fetch:a']);
    expect(limiter.take('a', 1_100)).toBe(4_000);
    expect(limiter.wait('a', 5_099)).toBe(1);
    expect(asked.questions).toHaveLength(2);
    asked.answer = 0;
    expect(await limiter.wait('a', 5_100)).toBe(0);
    expect(await limiter.take('a', 5_100)).toBe(0);
    expect(asked.questions.slice(2)).toEqual(['wait fetch:a', 'use fetch:a']);
  });

  test('refuses without a question what this process alone has allowed too often', async () => {
    const { asked, limits: shared } = limits();
    const limiter = shared.rate('fetch', RATE);
    for (const now of [0, 1_000]) expect(await limiter.take('a', now)).toBe(0);
    expect(limiter.take('a', 2_000)).toBe(8_000);
    expect(asked.questions).toHaveLength(2);
  });

  test.each(['fetch', 'mail', 'waitlist', 'stream', 'look', 'workspace', 'drop-in'] as const)(
    'of kind %s is counted by each node alone while the store is away, with what it allowed before',
    async (kind) => {
      const { asked, limits: shared } = limits();
      const limiter = shared.rate(kind, RATE);
      expect(await limiter.take('a', 0)).toBe(0);
      asked.answer = AWAY;
      expect(await limiter.wait('a', 100)).toBe(0);
      expect(await limiter.take('a', 100)).toBe(0);
      expect(await limiter.take('a', 100)).toBe(9_900);
    },
  );

  test('of wrong keys rejects while the store is away: no key is taken that is not counted', async () => {
    const { asked, limits: shared } = limits();
    const limiter = shared.rate('wrong-key', RATE);
    asked.answer = AWAY;
    await expect(limiter.wait('a', 0)).rejects.toThrow(NotCountedError);
    await expect(limiter.take('a', 0)).rejects.toThrow(NotCountedError);
  });

  test('waits two seconds for an answer and no longer; then one asks every second, and the others do not wait', async () => {
    const { asked, clock, limits: shared } = limits();
    const limiter = shared.rate('fetch', { ...RATE, count: 20 });
    asked.answer = SILENT;
    const first = limiter.take('a', 0);
    await clock.advance(1_999);
    expect(await isSettled(first)).toBe(false);
    await clock.advance(1);
    expect(await first).toBe(0);
    for (let n = 0; n < 3; n++) expect(await limiter.take('b', 2_000)).toBe(0);
    expect(asked.questions).toHaveLength(1);

    await clock.advance(1_000);
    const probe = limiter.take('b', 3_000);
    expect(await isSettled(probe)).toBe(false);
    expect(await limiter.take('b', 3_000)).toBe(0);
    expect(asked.questions).toHaveLength(2);
    await clock.advance(2_000);
    expect(await probe).toBe(0);

    asked.answer = 0;
    await clock.advance(1_000);
    for (let n = 0; n < 3; n++) expect(await limiter.take('c', 6_000)).toBe(0);
    expect(asked.questions).toHaveLength(5);
  });

  test('is counted alone where the store has no room for it, and others are asked for all the same', async () => {
    const { asked, limits: shared } = limits();
    const [fetches, keys] = [shared.rate('fetch', RATE), shared.rate('wrong-key', RATE)];
    asked.answer = new NoRoomError('full');
    for (let n = 0; n < 2; n++) expect(await fetches.take('a', n)).toBe(0);
    expect(fetches.take('a', 2)).toBe(9_998);
    await expect(keys.take('a', 2)).rejects.toThrow(NotCountedError);
    asked.answer = 0;
    expect(await keys.wait('b', 2)).toBe(0);
    expect(asked.questions).toEqual(['use fetch:a', 'use fetch:a', 'use wrong-key:a', 'wait wrong-key:b']);
  });

  test('is none where nobody limits', async () => {
    const { asked, limits: shared } = limits();
    for (let n = 0; n < 100; n++) expect(shared.rate('fetch', null).take('a', 0)).toBe(0);
    for (let n = 0; n < 100; n++) expect(shared.names('name', null).take('a', 0, 'x')).toBe(0);
    expect(asked.questions).toEqual([]);
  });
});

describe('names that nodes share', () => {
  test('are counted and given back by name, and by each node alone while the store is away', async () => {
    const { asked, clock, limits: shared } = limits();
    const names = shared.names('name', RATE);
    expect(await names.take('a', 0, 'x')).toBe(0);
    await names.giveBack('a', 0, 100, 'x');
    expect(asked.questions).toEqual(['useName name:a x', 'giveBackName name:a x']);
    asked.answer = AWAY;
    await names.giveBack('a', 0, 100, 'y');
    for (let n = 0; n < 2; n++) expect(await names.take('a', 200, `${n}`)).toBe(0);
    expect(await names.take('a', 200, 'z')).toBe(5_000);
    await clock.advance(1_000);
    asked.answer = 3_000;
    expect(await names.take('b', 1_200, 'z')).toBe(3_000);
  });
});

describe('places that nodes share', () => {
  const BOUNDS = { total: 3, perClient: 2 };

  test('are refused by the count of all, and those that this process has used up without a question', async () => {
    const { asked, limits: shared } = limits();
    const quota = shared.quota('open-stream', BOUNDS);
    asked.answer = false;
    for (let n = 0; n < 5; n++) expect(await quota.acquire('a')).toBe('client-full');
    asked.answer = true;
    expect([await quota.acquire('a'), await quota.acquire('a'), await quota.acquire('b')]).toEqual([null, null, null]);
    const before = asked.questions.length;
    expect([quota.acquire('a'), quota.acquire('c')]).toEqual(['client-full', 'all-taken']);
    expect(asked.questions).toHaveLength(before);
    quota.release('b');
    expect(asked.questions.at(-1)).toBe(asked.questions[before - 1]?.replace(/^hold/, 'free'));
    expect(await quota.acquire('c')).toBe(null);
  });

  test('are renewed three times a lease for as long as they are held, and then nothing waits', async () => {
    const { asked, clock, limits: shared } = limits();
    const quota = shared.quota('open-stream', BOUNDS);
    asked.answer = true;
    for (const client of ['a', 'a', 'b']) expect(await quota.acquire(client)).toBe(null);
    const renewed = async () => {
      asked.questions.length = 0;
      await clock.advance(LEASE_MS / 3);
      return asked.questions.map((question) => question.trim());
    };
    expect(await renewed()).toEqual(['renew open-stream:a', 'renew open-stream:b']);
    quota.release('a');
    expect(await renewed()).toEqual(['renew open-stream:a', 'renew open-stream:b']);
    for (const client of ['a', 'b']) quota.release(client);
    expect(await renewed()).toEqual([]);
    expect(clock.alarms).toBe(0);
  });

  test('that were given while the store was away are told to it once it is back', async () => {
    const { asked, clock, limits: shared } = limits();
    const quota = shared.quota('open-stream', BOUNDS);
    asked.answer = AWAY;
    expect([await quota.acquire('a'), await quota.acquire('a'), await quota.acquire('a')]).toEqual([
      null,
      null,
      'client-full',
    ]);
    asked.answer = undefined;
    await clock.advance(LEASE_MS / 3);
    expect(asked.questions.at(-1)?.trim()).toBe('renew open-stream:a');
    for (let n = 0; n < 2; n++) quota.release('a');
    await clock.advance(0);
    expect(clock.alarms).toBe(0);
  });
});
