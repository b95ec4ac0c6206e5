import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, makeCacheFolder, refuseForeign, VARIABLE } from '../../bin/cache-folder.js';
import { UnusableFolder, whyUnusable } from '../base/make-folder.js';
import { UnusableStoreError } from '../store/store.js';
import { ownFiles } from './embedded-package.js';

/** The owner may write to the file, and all may load it. */
const MODE = 0o755;

/** How many files of other versions stay, because the user may run them as well. */
const KEPT_FILES = 2;

/**
 * Loads LMDB's native part. Replaces the package with which LMDB loads it. A system loads native code only from a file,
 * so the first start writes it to the user's cache folder, under a name with its hash.
 */
export default function loadNativePart(): unknown {
  const native = ownFiles('native');
  const [name = ''] = native.names();
  const loaded = { exports: {} };
  const folder = cacheFolder();
  try {
    if (folder === null) throw new Error('this user has no home folder');
    const load = () => process.dlopen(loaded, fileIn(folder, name, native.read(name)));
    try {
      load();
    } catch {
      // Another version may have removed the file after the check. This writes it again.
      load();
    }
  } catch (error) {
    throw new UnusableStoreError(
      `--store: Mayfly keeps the native part of LMDB in ${folder ?? "the user's cache folder"}, but ${whyUnusable(error)} ` +
        `Set ${VARIABLE} to a writable folder, or use --store memory:, which loses all mail when the service stops.`,
      { cause: error },
    );
  }
  return loaded.exports;
}

/** Returns the path of the file with these bytes, which it writes if it is missing or damaged. */
function fileIn(folder: string, name: string, bytes: Buffer): string {
  makeCacheFolder(folder);
  const file = path.join(folder, name);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UnusableFolder(`${name} in it is a folder. Remove that folder.`);
  if (found?.isFile()) refuseForeign(found, name);
  // Compares all bytes, which takes less time than a hash of them.
  if (!found?.isFile() || !readFileSync(file).equals(bytes)) writeWhole(file, bytes);
  return file;
}

/**
 * Removes the files of other versions and of interrupted starts, except the newest. A process that has loaded a file
 * keeps it. A start that is not interrupted, but loses its file, tries again.
 */
function removeOldest(folder: string, own: string): void {
  const others = readdirSync(folder).filter(
    (name) => /^lmdb-[0-9a-f]{32}\.node(?:\.[0-9a-f-]{36})?$/.test(name) && name !== own,
  );
  const writtenAt = (name: string) => lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  others.sort((one, other) => writtenAt(other) - writtenAt(one));
  for (const name of others.slice(KEPT_FILES)) rmSync(path.join(folder, name), { force: true });
}

/** Renames a complete file into place, because other processes may start at the same time. */
function writeWhole(file: string, bytes: Buffer): void {
  const part = `${file}.${randomUUID()}`;
  try {
    writeFileSync(part, bytes, { flag: 'wx', mode: MODE });
    chmodSync(part, MODE);
    renameSync(part, file);
    removeOldest(path.dirname(file), path.basename(file));
  } catch (error) {
    rmSync(part, { force: true });
    // Windows neither replaces nor removes a file that another process has loaded. That process had checked it.
    if (process.platform !== 'win32' || !readFileSync(file).equals(bytes)) throw error;
  }
}
