import { copyFile, mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'lmdb';
import { describe, expect, it } from 'vitest';
import { openLmdbStore } from '../../../src/store/lmdb/open-lmdb.js';
import { delivery, NOON, ROOMY } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const newDirectory = temporaryDirectories();

describe('opening a store in LMDB', () => {
  it.each([
    {
      what: 'a file',
      async make(directory: string) {
        await writeFile(join(directory, 'file'), '');
        return join(directory, 'file');
      },
      says: /^--store: .*file cannot be used: it is a file\. Use a folder, existing or new\.$/,
    },
    {
      what: 'a directory that cannot be created',
      async make(directory: string) {
        await writeFile(join(directory, 'file'), '');
        return join(directory, 'file/data');
      },
      says: /^--store: .*file\/data cannot be used: part of its path is a file\. Use a folder/,
    },
    {
      what: 'a link without a target',
      async make(directory: string) {
        await symlink(join(directory, 'nothing'), join(directory, 'link'));
        return join(directory, 'link');
      },
      says: /^--store: .*link cannot be used: it is a dangling symbolic link\. Fix the link, or use a folder/,
    },
    {
      what: 'a directory with other files',
      async make(directory: string) {
        await writeFile(join(directory, 'letter.txt'), 'Dear all');
        return directory;
      },
      says: /^--store: the folder .* contains other files but no store\. Use an empty or a new folder\.$/,
    },
    {
      what: 'a lock file that is a folder, which would crash the process',
      async make(directory: string) {
        await (await openLmdbStore(directory, ROOMY)).close();
        await rm(join(directory, 'lock.mdb'));
        await mkdir(join(directory, 'lock.mdb'));
        return directory;
      },
      says: /^--store: lock\.mdb in .* is not a regular file\. Use an empty or a new folder\.$/,
    },
    {
      what: 'data that another program keeps in LMDB',
      async make(directory: string) {
        await writeRow(directory, 'customers', 'alice', 1);
        return directory;
      },
      says: /^--store: the LMDB data in .* is not Mayfly's\. Use an empty or a new folder\.$/,
    },
    {
      what: 'the data of a version that is too old',
      async make(directory: string) {
        await writeRow(directory, 'mayfly', 'format', 3);
        return directory;
      },
      says: /^--store: the store in .* has format 3, but this version of Mayfly reads formats 4 and 5\. Use an empty folder\./,
    },
  ])('rejects $what with an error that states the fix', async ({ make, says }) => {
    const directory = await make(await newDirectory());
    await expect(openLmdbStore(directory, ROOMY)).rejects.toThrow(says);
    await expect(openLmdbStore(directory, ROOMY)).rejects.toThrow(says);
  });

  it('creates a missing directory, whatever its name, and gives only the owner access', async () => {
    const directory = join(await newDirectory(), 'a/b/mail.v2.mdb');
    const store = await openLmdbStore(directory, ROOMY);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'data.mdb'))).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('rejects a store that is already open in this process, also through a link to its folder', async () => {
    const directory = await newDirectory();
    const alias = join(await newDirectory(), 'alias');
    await symlink(directory, alias);
    const store = await openLmdbStore(directory, ROOMY);
    await expect(openLmdbStore(alias, ROOMY)).rejects.toThrow(/is already open in this process\.$/);
    await store.append(delivery('a', NOON), NOON);
    await store.close();

    const again = await openLmdbStore(alias, ROOMY);
    expect(await again.list('a', {}, NOON)).toHaveLength(1);
    await again.close();
  });
});

describe('a folder in the previous format', () => {
  const formatOf = async (path: string) => {
    const root = open({ path, noSubdir: false, encoding: 'json' });
    const format = root.openDB({ name: 'mayfly' }).get('format');
    await root.close();
    return format;
  };

  it('keeps its mail and waitlist, and can no longer be opened by an older version', async () => {
    const directory = await newDirectory();
    const before = await openLmdbStore(directory, ROOMY);
    await before.append(delivery('a', NOON), NOON);
    await before.joinWaitlist('a@b.example', NOON);
    await before.close();
    await writeRow(directory, 'mayfly', 'format', 4);

    const store = await openLmdbStore(directory, ROOMY);
    expect(await store.list('a', {}, NOON)).toHaveLength(1);
    const entries = [];
    for await (const entry of store.waitlist()) entries.push(entry.email);
    expect(entries).toEqual(['a@b.example']);
    await store.close();
    expect(await formatOf(directory)).toBe(5);
  });

  it('is not changed by commands that only read', async () => {
    const directory = await newDirectory();
    await (await openLmdbStore(directory, ROOMY)).close();
    await writeRow(directory, 'mayfly', 'format', 4);
    await (await openLmdbStore(directory, ROOMY, 'existing')).close();
    expect(await formatOf(directory)).toBe(4);
  });
});

describe('a store whose data file is removed while it is open', () => {
  it.each<[string, (file: string) => Promise<unknown>]>([
    ['deleted', (file) => rm(file)],
    ['replaced', (file) => rename(file, `${file}.old`).then(() => copyFile(`${file}.old`, file))],
  ])('rejects mail after the file was %s', async (_, takeAway) => {
    const directory = await newDirectory();
    const store = await openLmdbStore(directory, ROOMY);
    await store.append(delivery('a', NOON), NOON);
    await store.ping();
    await takeAway(join(directory, 'data.mdb'));
    const says = /^The data file of the store in .* was deleted or replaced while it was open\. Restart the service\.$/;
    // Both an append and a ping notice that the file is gone.
    await expect(store.append(delivery('a', NOON), NOON)).rejects.toThrow(says);
    await expect(store.ping()).rejects.toThrow(says);
    await store.close();
  });
});

/** Writes a row with LMDB, as another program or version would. */
async function writeRow(path: string, table: string, key: string, value: number): Promise<void> {
  const root = open({ path, noSubdir: false, encoding: 'json' });
  await root.openDB({ name: table }).put(key, value);
  await root.close();
}
