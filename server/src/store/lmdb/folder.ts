import { mkdir, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Mail is nobody else's business. */
const OWNER_ONLY = 0o700;

const DATA_FILE = 'data.mdb';
const LOCK_FILE = 'lock.mdb';

/** What LMDB writes near the start of its data file: its magic number and the version of the file's form. */
const LMDB_MARK = Buffer.from('dec0efbe02000000', 'hex');

/** How far into the data file the mark is looked for: page headers differ between builds of LMDB. */
const MARK_WITHIN_BYTES = 64;

/**
 * Makes a directory ready to be opened by LMDB, and creates it if it is not there. Resolves to its real path.
 * Rejects with a sentence when it cannot be used or holds something else.
 */
export async function prepareDirectory(directory: string): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: OWNER_ONLY });
    const files = await readdir(directory);
    const isOurs = files.includes(DATA_FILE)
      ? await looksLikeLmdb(join(directory, DATA_FILE))
      : files.every((file) => file === LOCK_FILE);
    if (isOurs) return await realpath(directory);
  } catch (error) {
    throw new Error(`The store's directory ${directory} cannot be used: ${messageOf(error)}. Name another one.`, {
      cause: error,
    });
  }
  throw new Error(
    `The directory ${directory} holds files of others and no store. Name an empty directory, or a new one.`,
  );
}

/** LMDB's binding crashes the process when it is given a file that is not LMDB's, so that is found out before. */
async function looksLikeLmdb(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_WITHIN_BYTES), 0, MARK_WITHIN_BYTES, 0);
    // LMDB itself takes an empty file for a new one.
    return bytesRead === 0 || buffer.includes(LMDB_MARK);
  } finally {
    await file.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
