import { statSync } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenMode, UnusableStoreError } from '../store.js';
import { damageOf } from './data-file.js';
import { makeFolder, whyUnusable } from './make-folder.js';

const DATA_FILE = 'data.mdb';
const LOCK_FILE = 'lock.mdb';

/** What LMDB writes near the start of its data file: its magic number and the version of the file's form. */
const LMDB_MARK = Buffer.from('dec0efbe02000000', 'hex');

/** How far into the data file the mark is looked for: page headers differ between builds of LMDB. */
const MARK_WITHIN_BYTES = 64;

/**
 * Makes a directory ready to be opened by LMDB, and creates it if it is not there and may be created. Resolves to its real
 * path. Rejects with a sentence when it cannot be used, holds something else, or holds a data file that is damaged.
 */
export async function prepareDirectory(directory: string, mode: OpenMode): Promise<string> {
  const { path, isOurs, damage } = await lookInto(directory, mode).catch((error) => {
    if (mode === 'existing' && error.code === 'ENOENT') return { path: null, isOurs: false, damage: null };
    throw new UnusableStoreError(`--store: ${directory} cannot be used: ${whyUnusable(error)}`, {
      cause: error,
    });
  });
  if (path === null) {
    throw new UnusableStoreError(
      `--store: there is no store in ${directory}. Name the folder that the service was started with.`,
    );
  }
  if (!isOurs) {
    throw new UnusableStoreError(
      `--store: the folder ${directory} holds files of others and no store. Name an empty folder, or a new one.`,
    );
  }
  if (damage !== null) {
    throw new UnusableStoreError(
      `--store: the data file in ${directory} is damaged: ${damage}. Put a copy in its place, or name an empty folder.`,
    );
  }
  return path;
}

/** What a directory holds. Its path is null when there is no store in it and none may be made. */
async function lookInto(directory: string, mode: OpenMode) {
  if (mode === 'create') await makeFolder(directory);
  const files = await readdir(directory);
  const path = await realpath(directory);
  if (!files.includes(DATA_FILE)) {
    if (mode === 'existing') return { path: null, isOurs: false, damage: null };
    return { path, isOurs: files.every((file) => file === LOCK_FILE), damage: null };
  }
  const file = join(path, DATA_FILE);
  const isOurs = await looksLikeLmdb(file);
  return { path, isOurs, damage: isOurs ? await damageOf(file) : null };
}

/**
 * Notes which data file a directory has, whose path is real. The returned function throws a sentence once it has another one
 * or none: LMDB would go on writing into a file that nobody can ever open again.
 */
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

/** LMDB's binding crashes the process when it is given a file that is not LMDB's, so that is found out before. */
async function looksLikeLmdb(path: string): Promise<boolean> {
  // Opening a pipe would wait for whoever writes to it.
  if (!(await stat(path)).isFile()) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_WITHIN_BYTES), 0, MARK_WITHIN_BYTES, 0);
    // LMDB itself takes an empty file for a new one.
    return bytesRead === 0 || buffer.includes(LMDB_MARK);
  } finally {
    await file.close();
  }
}
