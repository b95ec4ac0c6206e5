import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPurging } from '../../src/inbox/purging.js';
import { openMemoryStore } from '../../src/store/memory.js';
import { EmailGoneError, type Store, type StoredEmail } from '../../src/store/store.js';
import { ManualClock } from '../manual-clock.js';
import { contentOf, delivery, ROOMY } from '../store/mail.js';

/** How long mail stays readable after it is no longer listed, so that a running response can finish. */
const GRACE_MS = 60_000;

let clock: ManualClock;
let store: Store;
let purging: ReturnType<typeof startPurging>;
let logged: { level: number; msg: string; err: { message: string } }[];
/** Calls of the store's `purge`: their time and their argument, in milliseconds after the start. */
let purges: { at: number; upTo: number }[];

beforeEach(() => {
  clock = new ManualClock();
  store = openMemoryStore({ ...ROOMY, retentionMs: 5_000 });
  logged = [];
  purges = [];
  const start = clock.now();
  const purge = store.purge.bind(store);
  store.purge = (now) => {
    purges.push({ at: clock.now() - start, upTo: now - start });
    return purge(now);
  };
  const lines = new Writable({ write: (line, _, done) => done(void logged.push(JSON.parse(String(line)))) });
  purging = startPurging(store, clock, pino(lines));
});

afterEach(async () => {
  await purging();
  await store.close();
});

async function storedIn(inbox: string): Promise<StoredEmail> {
  await store.append(delivery(inbox, clock.now()), clock.now());
  return (await store.list(inbox, {}, clock.now()))[0] as StoredEmail;
}

test('purging deletes an email a minute after it expired', async () => {
  const email = await storedIn('a');
  await clock.advance(3_000);
  expect(purges.map(({ at }) => at)).toEqual([1_000, 2_000, 3_000]);
  expect(purges[2]?.upTo).toBe(3_000 - GRACE_MS);
  await clock.advance(5_000 + GRACE_MS - 1_000 - 3_000);
  expect((await contentOf(store, email)).toString()).toBe('content');
  await clock.advance(1_000);
  await expect(contentOf(store, email)).rejects.toThrow(EmailGoneError);
});

test('purging logs a failure once and retries every second', async () => {
  const purge = store.purge;
  store.purge = (now) => purge(now).then(() => Promise.reject(new Error('the disk is away')));
  await clock.advance(3_000);
  expect(purges).toHaveLength(3);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatchObject({ level: 50, err: { message: 'the disk is away' } });
  expect(logged[0]?.msg).toMatch(/could not be purged/);
  store.purge = purge;
  await clock.advance(2_000);
  expect(purges).toHaveLength(5);
  expect(logged.map(({ level }) => level)).toEqual([50, 30]);
  store.purge = (now) => purge(now).then(() => Promise.reject(new Error('the disk is away again')));
  await clock.advance(1_000);
  expect(logged.map(({ level }) => level)).toEqual([50, 30, 50]);
});
