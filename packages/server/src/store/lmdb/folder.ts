import { statSync } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, whyUnusable } from '../../base/make-folder.js';
import { type OpenMode, UnusableStoreError } from '../store.js';
import { DATA_FILE, damageOf } from './data-file.js';
import { RESERVE_FILE } from './disk-room.js';

const LOCK_FILE = 'lock.mdb';

/** Files that may be there without a store: they remain when its data file was deleted. */
const OWN_FILES: readonly string[] = [LOCK_FILE, RESERVE_FILE];

const LMDB_MARK = Buffer.from('dec0efbe02000000', 'hex');

/** How far into the data file to look for the mark: page headers differ between builds of LMDB. */
const MARK_WITHIN_BYTES = 64;

/** Prepares a directory for LMDB; resolves to its real path. Rejects with a sentence if it is unusable or damaged. */
export async function prepareDirectory(directory: string, mode: OpenMode): Promise<string> {
  const { path, isOurs, damage } = await lookInto(directory, mode).catch((error) => {
    if (mode === 'existing' && error.code === 'ENOENT') return { path: null, isOurs: false, damage: null };
    throw new UnusableStoreError(`--store: ${directory} cannot be used: ${whyUnusable(error)}`, {
      cause: error,
    });
  });
  if (path === null) {
    throw new UnusableStoreError(
      `--store: there is no store in ${directory}. Use the folder that the service was started with.`,
    );
  }
  if (!isOurs) {
    throw new UnusableStoreError(
      `--store: the folder ${directory} contains other files but no store. Use an empty or a new folder.`,
    );
  }
  if (damage !== null) {
    throw new UnusableStoreError(
      `--store: the data file in ${directory} is damaged: ${damage}. Restore it from a copy, or use an empty folder.`,
    );
  }
  return path;
}

async function lookInto(directory: string, mode: OpenMode) {
  if (mode === 'create') await makeFolder(directory);
  const files = await readdir(directory);
  const path = await realpath(directory);
  if (!files.includes(DATA_FILE)) {
    if (mode === 'existing') return { path: null, isOurs: false, damage: null };
    return { path, isOurs: files.every((file) => OWN_FILES.includes(file)), damage: null };
  }
  const file = join(path, DATA_FILE);
  const isOurs = await looksLikeLmdb(file);
  return { path, isOurs, damage: isOurs ? await damageOf(file) : null };
}

/** A check that throws once the directory's data file was replaced: LMDB would write into an unnamed file. */
export function watchDataFile(directory: string): () => void {
  const file = join(directory, DATA_FILE);
  const opened = statSync(file);
  return () => {
    const { dev, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (dev === opened.dev && ino === opened.ino) return;
    throw new Error(
      `The data file of the store in ${directory} was deleted or replaced while it was open. Restart the service.`,
    );
  };
}

/** LMDB's binding crashes the process when it opens a file of another kind. */
async function looksLikeLmdb(path: string): Promise<boolean> {
  // Opening a pipe would wait for a writer.
  if (!(await stat(path)).isFile()) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_WITHIN_BYTES), 0, MARK_WITHIN_BYTES, 0);
    // LMDB takes an empty file for a new one.
    return bytesRead === 0 || buffer.includes(LMDB_MARK);
  } finally {
    await file.close();
  }
}
