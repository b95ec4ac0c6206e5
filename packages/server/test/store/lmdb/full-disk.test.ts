import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DiskRoom, freeBytes } from '../../../src/store/lmdb/disk-room.js';
import { openLmdbStore } from '../../../src/store/lmdb/open-lmdb.js';
import { StoreFullDiskError } from '../../../src/store/store.js';
import { indexOf, NOON, ROOMY } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const newDirectory = temporaryDirectories();

/** Maximum file size in blocks of 512 bytes (POSIX, ulimit): 3 MB. */
const MAX_BLOCKS = 6_000;

test('if the disk is full, the store rejects mail as disk-full and loses no stored mail', async () => {
  const directory = await newDirectory();
  const script = fileURLToPath(new URL('full-disk-process.mjs', import.meta.url));
  const command = [process.execPath, script, directory, JSON.stringify(ROOMY), `${NOON}`];
  const args = ['-c', `ulimit -f ${MAX_BLOCKS} && exec "$@"`, 'sh', ...command];
  const { status, signal, stdout } = spawnSync('sh', args, { encoding: 'utf8', timeout: 120_000 });
  expect([status, signal]).toEqual([0, null]);
  const lines = stdout.trim().split('\n');
  const stored = lines.filter((line) => /^\d+$/.test(line));
  const refused = lines.filter((line) => line === 'disk-full');
  expect(stored.length).toBeGreaterThan(50);
  expect(refused.length).toBeGreaterThanOrEqual(30);
  expect(lines.length).toBe(stored.length + refused.length + 1);
  expect(lines.at(-1)).toBe(`listed ${stored.length}`);

  const store = await openLmdbStore(directory, ROOMY);
  const emails = await store.list('a', {}, NOON);
  const found = await Promise.all(
    emails.map(async (email) => Buffer.from((await indexOf(store, 'a', email, NOON)) ?? []).toString()),
  );
  expect(found.reverse()).toEqual(stored);
  await store.close();
});

test('a disk whose free space cannot be determined is not treated as full', async () => {
  expect(await freeBytes(`${await newDirectory()}/gone`)).toBe(Number.POSITIVE_INFINITY);
});

test('the store checks for disk space at most once a second, even if the clock is set back', async () => {
  let looks = 0;
  const tryRoom = async () => {
    looks += 1;
    throw new StoreFullDiskError('No space is left.');
  };
  const room = new DiskRoom(await newDirectory(), () => {}, tryRoom);
  const lookAt = (now: number) => room.make(now, true, async () => false);
  for (const now of [NOON, NOON - 300, NOON + 900]) await lookAt(now);
  expect(looks).toBe(1);
  await lookAt(NOON + 1_000);
  expect(looks).toBe(2);
});
