import { lstat, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Access for the service's user alone, because mail is private. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** An error whose message `whyUnusable` returns. */
export class UnusableFolder extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file. Use a folder, existing or new.',
  ENOTDIR: 'part of its path is a file. Use a folder, existing or new.',
  ENOENT: 'no folder can be created there. Use another folder.',
  ELOOP: 'its symbolic links form a loop. Fix the links, or use another folder.',
  ENAMETOOLONG: 'its name is too long. Use a folder with a shorter name.',
  EACCES: 'this user may not read and write there. Give the user both permissions, or use another folder.',
  EPERM: 'this user may not read and write there. Give the user both permissions, or use another folder.',
  EROFS: 'its file system is read-only. Use a folder on another file system.',
  ERR_DLOPEN_FAILED:
    'the system loads no code from there, usually because its file system is mounted with noexec. Use a folder on another file system.',
  ENOSPC: 'no space is left on its disk. Free some space, or use a folder on another disk.',
};

/**
 * Makes a folder and its missing parents, for this user alone. Rejects with an error that `whyUnusable` explains. Does
 * not use Node's `recursive`, which never ends in /proc, where making a folder fails as if its parent were missing.
 */
export async function makeFolder(directory: string): Promise<void> {
  for (const path of await missingFolders(directory)) {
    await mkdir(path, { mode: FOLDER_MODE }).catch(async (error) => {
      // Another process may have made the folder first.
      if (error.code !== 'EEXIST' || !(await isFolder(path))) throw error;
    });
  }
}

/** The folders that `makeFolder` would make, the parents first. Rejects as `makeFolder` would. */
export async function missingFolders(directory: string): Promise<string[]> {
  const missing: string[] = [];
  // The loop ends at the root at the latest, because the root is its own parent.
  for (let path = resolve(directory); !(await isFolder(path)); path = dirname(path)) {
    const found = await lstat(path).catch(() => null);
    const what = path === resolve(directory) ? 'it' : 'a part of its path';
    if (found?.isSymbolicLink())
      throw new UnusableFolder(`${what} is a dangling symbolic link. Fix the link, or use a folder.`);
    missing.unshift(path);
    if (path === dirname(path)) break;
  }
  return missing;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null && !found.isDirectory()) throw Object.assign(new Error(`${path} is a file`), { code: 'EEXIST' });
  return found !== null;
}

/** Explains in one or two sentences why a folder cannot be used and what to do. */
export function whyUnusable(error: unknown): string {
  if (error instanceof UnusableFolder) return error.message;
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? `${message}. Fix that, or use another folder.`;
}

/** Writes a new file. Rejects with the system's or `content`'s error, and then leaves no part of the file. */
export async function writeNewFile(file: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  // Outside the `try`: if `open` fails, it has made no file, and the `catch` must not remove an existing one.
  const made = await open(file, 'wx', FILE_MODE);
  try {
    await writeFile(made, content).finally(() => made.close());
  } catch (error) {
    await rm(file, { force: true }).catch(() => {});
    throw error;
  }
}
