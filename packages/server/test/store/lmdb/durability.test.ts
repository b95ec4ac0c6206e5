import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../../../tools/needs.js';
import { openLmdbStore } from '../../../src/store/lmdb/open-lmdb.js';
import { delivery, NOON, noise, ROOMY } from '../mail.js';
import { temporaryDirectories } from '../temporary.js';

const newDirectory = temporaryDirectories();

/** What LMDB's binding notes in the flags of a meta page that was written before its data were synced. */
const NOT_SYNCED = 0x1000;
const PAGE_BYTES = 4096;
const META_BYTES = 160;
const FLAGS_AT = 52;
const TRANSACTION_AT = 152;

/** The flags of the last commit, as they are in the data file at this moment. */
function lastCommit(file: string): number {
  const handle = openSync(file, 'r');
  const metas = [0, PAGE_BYTES].map((position) => {
    const bytes = Buffer.alloc(META_BYTES);
    readSync(handle, bytes, 0, META_BYTES, position);
    return { transaction: bytes.readBigUInt64LE(TRANSACTION_AT), flags: bytes.readUInt16LE(FLAGS_AT) };
  });
  closeSync(handle);
  return metas.reduce((newest, meta) => (meta.transaction > newest.transaction ? meta : newest)).flags;
}

const MAILS = 8;

describe('mail that is said to be stored (D14)', () => {
  test('is in a commit that was synced first', async () => {
    const directory = await newDirectory();
    const store = await openLmdbStore(directory, ROOMY);
    for (let i = 0; i < MAILS; i++) {
      await store.append(delivery('a', NOON, { content: [noise(5_000 * i)] }), NOON);
      expect(lastCommit(join(directory, 'data.mdb')) & NOT_SYNCED).toBe(0);
    }
    await store.close();
  });

  test('was synced by the operating system', needs('strace'), async () => {
    const directory = await newDirectory();
    const trace = join(await newDirectory(), 'trace');
    const script = fileURLToPath(new URL('one-by-one-process.mjs', import.meta.url));
    // A slow disk, so that whoever does not wait for it is seen.
    const slow = 'inject=fdatasync:delay_enter=20000';
    const calls = 'trace=openat,pwrite64,pwritev,writev,fdatasync,write';
    const command = [process.execPath, script, directory, JSON.stringify(ROOMY), `${NOON}`, `${MAILS}`];
    const { status } = spawnSync('strace', ['-f', '-e', calls, '-e', slow, '-o', trace, ...command]);
    expect(status).toBe(0);

    const files = new Set<string>();
    let stored = 0;
    let unsynced = 0;
    for (const line of (await readFile(trace, 'utf8')).split('\n')) {
      const opened = /openat\(.*data\.mdb", O_RDWR.* = (\d+)$/.exec(line)?.[1];
      const written = /\b(?:pwrite64|pwritev|writev)\((\d+),/.exec(line)?.[1];
      if (opened !== undefined) files.add(opened);
      if (written !== undefined && files.has(written)) unsynced += 1;
      if (/fdatasync.* = 0/.test(line)) unsynced = 0;
      if (!line.includes('write(1, "stored')) continue;
      stored += 1;
      expect(unsynced).toBe(0);
    }
    expect(stored).toBe(MAILS);
    expect(files.size).toBeGreaterThan(0);
  });
});
