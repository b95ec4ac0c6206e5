import { spawnSync } from 'node:child_process';
import { copyFile, open, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { damageOf } from '../../../src/store/lmdb/data-file.js';
import { openLmdbStore } from '../../../src/store/lmdb/open-lmdb.js';
import { delivery, NOON, noise, purgeAll, ROOMY } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const PAGE_BYTES = 4096;
const SCRIPT = fileURLToPath(new URL('opening-process.mjs', import.meta.url));

const newDirectory = temporaryDirectories();
let original: string;
let size: number;

/** Creates a data file with mail of all sizes. */
beforeAll(async () => {
  original = await newDirectory();
  const store = await openLmdbStore(original, ROOMY);
  for (let i = 0; i < 60; i++) {
    await store.append(delivery('a', NOON + i, { content: [noise(i % 10 === 0 ? 500_000 : i * 200)] }), NOON);
  }
  await store.close();
  size = (await stat(join(original, 'data.mdb'))).size;
});

/** Creates a directory with a modified copy of the data file. */
async function copyWith(change: (file: string) => Promise<unknown>): Promise<string> {
  const directory = await newDirectory();
  const file = join(directory, 'data.mdb');
  await copyFile(join(original, 'data.mdb'), file);
  await change(file);
  return directory;
}

async function overwrite(file: string, position: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}

/** Opens a store in a separate process, because a crash would end this one. Returns the result. */
function openElsewhere(directory: string): { readonly said: string; readonly signal: string | null } {
  const args = [SCRIPT, directory, JSON.stringify(ROOMY), 'a', `${NOON + 1_000}`];
  const { stdout, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { said: stdout, signal };
}

const damaged = /^--store: the data file in .* is damaged: .*\. Restore it from a copy, or use an empty folder\.$/;

/** Offsets in a meta page after its header: flags of both trees, root of the list of free pages, last page. */
const META = { version: 4, freeFlags: 28, mainFlags: 76, freeRoot: 64, lastPage: 120, transaction: 128 };

/** Changes a number of 8, 4 or 2 bytes in both meta pages. */
async function changeMeta(file: string, field: keyof typeof META, number: number, bytes = 4): Promise<void> {
  const value = Buffer.alloc(8);
  value.writeBigInt64LE(BigInt(number));
  for (const start of [0, PAGE_BYTES]) await overwrite(file, start + 24 + META[field], value.subarray(0, bytes));
}

/** The position of the root of the free pages, as of the newer meta page. */
function freeRootIn(bytes: Buffer): number {
  const metas = [bytes.subarray(24), bytes.subarray(PAGE_BYTES + 24)];
  const [meta] = metas.sort((a, b) => Number(b.readBigInt64LE(META.transaction) - a.readBigInt64LE(META.transaction)));
  return PAGE_BYTES * Number(meta?.readBigInt64LE(META.freeRoot));
}

async function changeFreeRoot(file: string, at: number, bytes: readonly number[]): Promise<void> {
  await overwrite(file, freeRootIn(await readFile(file)) + at, Buffer.from(bytes));
}

/** Replaces the first list of free pages by a run of 10^15 pages before the first page, and adds a missing page. */
async function withEndlessRun(file: string): Promise<void> {
  const bytes = await readFile(file);
  const root = freeRootIn(bytes) + 24;
  const node = root + bytes.readUInt16LE(root);
  const value = node + 8 + bytes.readUInt16LE(node + 6);
  const isElsewhere = (bytes.readUInt16LE(node + 4) & 1) !== 0;
  const list = isElsewhere ? PAGE_BYTES * Number(bytes.readBigInt64LE(value)) + 24 : value;
  for (const [i, number] of [2n, -(10n ** 15n), -(10n ** 15n)].entries()) bytes.writeBigInt64LE(number, list + 8 * i);
  await writeFile(file, bytes);
  await changeMeta(file, 'lastPage', size / PAGE_BYTES);
}

describe('an LMDB data file', () => {
  const page = Buffer.alloc(PAGE_BYTES, 'x');
  test.each<[what: string, says: RegExp, change: (file: string) => Promise<unknown>]>([
    ['without damage', /^60 emails$/, async () => {}],
    ['cut to nothing, which is a new one', /^0 emails$/, (file) => truncate(file, 0)],
    ['cut to a few bytes', damaged, (file) => truncate(file, 20)],
    ['cut within its first page', damaged, (file) => truncate(file, 100)],
    ['cut to one page', damaged, (file) => truncate(file, PAGE_BYTES)],
    ['cut to two pages', damaged, (file) => truncate(file, 2 * PAGE_BYTES)],
    ['cut in the middle', damaged, (file) => truncate(file, Math.floor(size / 2))],
    ['cut by one page', damaged, (file) => truncate(file, size - PAGE_BYTES)],
    ['cut by one byte', damaged, (file) => truncate(file, size - 1)],
    ['whose first page is written over', damaged, (file) => overwrite(file, 0, page)],
    ['whose second page is written over', damaged, (file) => overwrite(file, PAGE_BYTES, page)],
    ['whose second page has another kind', damaged, (file) => overwrite(file, PAGE_BYTES + 18, Buffer.alloc(2))],
    ['whose pages have an odd size', damaged, (file) => overwrite(file, 48, Buffer.from([0x01, 0x10, 0, 0]))],
    ['of another version of LMDB', /not those of this version of LMDB/, (file) => changeMeta(file, 'version', 1)],
    ['that claims 30 million pages', damaged, (file) => changeMeta(file, 'lastPage', 30_000_000)],
    ['that claims to be encrypted', damaged, (file) => changeMeta(file, 'freeFlags', 0x2008, 2)],
    ['whose free pages are in no order', damaged, (file) => changeMeta(file, 'freeFlags', 0x000c, 2)],
    ['whose tables have numbers as keys', damaged, (file) => changeMeta(file, 'mainFlags', 0x0008, 2)],
    ['whose list of free pages never ends', damaged, withEndlessRun],
    ['whose free pages have a later transaction', damaged, (file) => changeFreeRoot(file, 15, [1])],
    ['whose free pages have several kinds', damaged, (file) => changeFreeRoot(file, 18, [0x17])],
    ['whose tree of free pages is empty', damaged, (file) => changeFreeRoot(file, 20, [0, 0])],
    [
      'without all but two pages',
      damaged,
      (file) => overwrite(file, 2 * PAGE_BYTES, Buffer.alloc(size - 2 * PAGE_BYTES)),
    ],
  ])('%s is opened, or rejected with an error message, and never crashes the process', async (_, says, change) => {
    const { said, signal } = openElsewhere(await copyWith(change));
    expect(signal).toBeNull();
    expect(said).toMatch(says);
  });

  test('is opened, or rejected with an error message, if any page after the second is overwritten', async () => {
    const small = await newDirectory();
    const store = await openLmdbStore(small, ROOMY);
    await store.append(delivery('a', NOON), NOON);
    await store.joinWaitlist('ada@app.test', NOON);
    await store.clear('a', NOON);
    await store.close();
    const whole = await readFile(join(small, 'data.mdb'));
    // Fills pages with flags that no kind of page has.
    const page = Buffer.alloc(PAGE_BYTES, 0xf8);
    let refused = 0;
    for (let position = 2 * PAGE_BYTES; position < whole.length; position += PAGE_BYTES) {
      const directory = await newDirectory();
      const file = join(directory, 'data.mdb');
      await writeFile(file, whole);
      await overwrite(file, position, page);
      const { said, signal } = openElsewhere(directory);
      expect([position, signal]).toEqual([position, null]);
      expect(said).toMatch(new RegExp(`${damaged.source}|^0 emails$`));
      if (damaged.test(said)) refused += 1;
    }
    // At least damage to the tree of tables, the tree of free pages, and tables that have rows is noticed.
    expect(refused).toBeGreaterThanOrEqual(7);
  });

  test('is opened if the missing pages at its end are free, and rejected if others are also missing', async () => {
    const directory = await newDirectory();
    const store = await openLmdbStore(directory, ROOMY);
    await store.append(delivery('a', NOON, { content: [noise(2_000_000)] }), NOON);
    await purgeAll(store, NOON + ROOMY.retentionMs);
    // Each transaction moves used pages into free space, until the file ends with the large message's free pages.
    for (let i = 0; i < 12; i++) await store.append(delivery('a', NOON, { content: [] }), NOON);
    await store.close();
    const file = join(directory, 'data.mdb');
    const before = (await stat(file)).size;
    // Removes the free pages at the end. An undamaged file may also lack some, because LMDB does not write all of them.
    await truncate(file, before - 20 * PAGE_BYTES);
    expect(await damageOf(file)).toBeNull();
    expect(openElsewhere(directory)).toEqual({ said: '12 emails', signal: null });
    await truncate(file, 10 * PAGE_BYTES);
    expect(await damageOf(file)).toMatch(/ends after \d+ of \d+ bytes|is cut off/);
  });
});
