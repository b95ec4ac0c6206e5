import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { describe, expect, it } from 'vitest';
import { openLmdbStore } from '../../../src/store/lmdb/open-lmdb.js';
import { openStore } from '../../../src/store/open-store.js';
import type { Store } from '../../../src/store/store.js';
import { killWhileAppending } from '../contract/appending.js';
import { delivery, NOON, noise, piecesOf, purgeAll, ROOMY } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

/** Message sizes in bytes. Each round uses all small sizes and one large size; ten rounds use all large sizes. */
const SMALL_SIZES = [500, 2_000, 3_000, 5_000, 8_000, 12_000, 20_000, 50_000];
const LARGE_SIZES = [100, 2_900, 700, 1_900, 300, 2_300, 1_100, 2_700, 500, 1_500].map(
  (kilobytes) => kilobytes * 1_000,
);

const newDirectory = temporaryDirectories();

describe('an LMDB file', () => {
  it('stops growing under a steady load, even if clients stop reading emails half-way', async () => {
    const directory = await newDirectory();
    const retentionMs = LARGE_SIZES.length * 1_000;
    const store = await openLmdbStore(directory, { ...ROOMY, retentionMs });
    const sizeAfter = async (rounds: number, start: number) => {
      for (let round = start; round < start + rounds; round++) await oneRound(store, round);
      return (await stat(join(directory, 'data.mdb'))).size;
    };
    const warm = await sizeAfter(40, 0);
    const later = await sizeAfter(100, 40);
    await store.close();
    const liveBytes = [...LARGE_SIZES, ...SMALL_SIZES.map((size) => size * LARGE_SIZES.length)].reduce((a, b) => a + b);
    // A hundred rounds add ten times as much mail as is stored at any time.
    expect(warm).toBeLessThan(2 * liveBytes);
    expect(later).toBeLessThan(1.25 * warm);
  });

  it.each([
    { after: 'all mail has expired', fill: fillHere },
    { after: 'all mail was cleared one by one, and would have expired', fill: fillAndClear },
    { after: 'a writer was killed, and all mail has expired', fill: killWhileAppending },
  ])('contains no row of a deleted email after $after', async ({ fill }) => {
    const directory = await newDirectory();
    await fill(`lmdb:${directory}`);
    const store = await openLmdbStore(directory, ROOMY);
    await purgeAll(store, NOON + 2 * ROOMY.retentionMs);
    await store.close();
    // Announcements between processes are also rows, but their number is bounded.
    const { news, ...rows } = await rowsOf(directory);
    expect(news).toBeLessThanOrEqual(256);
    expect(rows).toEqual({
      mayfly: 1,
      tally: 1,
      bytes: 0,
      emails: 0,
      deadlines: 0,
      messages: 0,
      shares: 0,
      clearings: 0,
      waitlist: 0,
      waitlistAddresses: 0,
    });
  });
});

/** Runs one round: mail arrives, a reader begins to read it, and expired mail is deleted. */
async function oneRound(store: Store, round: number): Promise<void> {
  const now = NOON + round * 1_000;
  const sizes = [...SMALL_SIZES, LARGE_SIZES[round % LARGE_SIZES.length] ?? 0];
  await Promise.all(sizes.map((size, i) => store.append(delivery(`box${i}`, now, { content: [noise(size)] }), now)));
  for (const email of await store.list(`box${SMALL_SIZES.length}`, {}, now)) {
    const pieces = piecesOf(store, email);
    for (let i = 0; i < 2; i++) await pieces.next();
    await pieces.return(undefined);
  }
  await purgeAll(store, now);
}

async function fillHere(url: string): Promise<void> {
  const { store } = await openStore(url, { ...ROOMY, maxEmails: 3 });
  const content = [noise(1_500_000)];
  await store.append(delivery(['a', 'b', 'a'], NOON, { content }), NOON);
  await store.append(delivery(['b', 'c'], NOON + 10, { content: [] }), NOON);
  for (const inboxes of ['a', ['a', 'a'], ['c', 'a', 'a']])
    await store.append(delivery(inboxes, NOON, { content }), NOON);
  await store.append(delivery('d', NOON - ROOMY.retentionMs, { content }), NOON);
  await store.clear('a', NOON);
  await store.append(delivery(['a', 'b'], NOON, { content }), NOON);
  await store.clear('b', NOON + 5);
  await store.close();
}

/** Fills the store and clears emails one by one, newest first in one inbox and oldest first in another; also purges. */
async function fillAndClear(url: string): Promise<void> {
  const { store } = await openStore(url, ROOMY);
  for (let i = 0; i < 4; i++) {
    const content = [noise(i % 2 === 0 ? 100 : 600_000)];
    await store.append(delivery(['a', 'b', 'c'], NOON + i, { content }), NOON);
  }
  for (let i = 0; i < 4; i++) {
    await store.clearOne('a', NOON + i, NOON + 10);
    await store.clearOne('b', NOON + 3 - i, NOON + 10 + i);
    if (i === 1) await store.purge(NOON + 10);
  }
  await store.clearOne('c', NOON + 1, NOON + 20);
  await store.clear('c', NOON + 20);
  await store.close();
}

/** Returns the number of rows of each table, and as `bytes` the part of the quota that the store counts as used. */
async function rowsOf(path: string): Promise<Record<string, number>> {
  const root = open({ path, noSubdir: false, encoding: 'json' });
  const tables = [...root.getKeys()].map(
    (name) => [String(name), root.openDB({ name: String(name), useVersions: name === 'tally' })] as const,
  );
  // Uses LMDB's own count, because iterating over keys ends at a key that is not in the binding's default encoding.
  const rows = Object.fromEntries(
    tables.map(([name, table]) => [name, (table.getStats() as { entryCount: number }).entryCount]),
  );
  const { bytes } = root.openDB({ name: 'tally', useVersions: true }).get('tally');
  await root.close();
  return { ...rows, bytes };
}
