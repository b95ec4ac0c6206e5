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
  let files: string[];
  try {
    await mkdir(directory, { recursive: true, mode: OWNER_ONLY });
    files = await readdir(directory);
  } catch (error) {
    throw new Error(`The store's directory ${directory} cannot be used: ${messageOf(error)}. Name another one.`, {
      cause: error,
    });
  }
  if (files.includes(DATA_FILE)) await mustBeLmdb(join(directory, DATA_FILE));
  else if (files.some((file) => file !== LOCK_FILE)) {
    throw new Error(
      `The directory ${directory} holds other files and no store. Name an empty directory, or a new one.`,
    );
  }
  return realpath(directory);
}

/** LMDB's binding crashes the process when it is given a file that is not LMDB's, so that is found out before. */
async function mustBeLmdb(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK_WITHIN_BYTES), 0, MARK_WITHIN_BYTES, 0);
    // LMDB itself takes an empty file for a new one.
    if (bytesRead === 0 || buffer.includes(LMDB_MARK)) return;
  } finally {
    await file.close();
  }
  throw new Error(`The file ${path} is not the data of a store. Name an empty directory, or a new one.`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
