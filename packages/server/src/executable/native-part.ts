import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { whyUnusable } from '../base/make-folder.js';
import { UnusableStoreError } from '../store/store.js';
import { ownFiles } from './embedded-package.js';

/** Names the folder that has the cache folders of all programs. */
const VARIABLE = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';

/** The owner may write to the file, and all may load it. */
const MODE = 0o755;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Loads LMDB's native part. Replaces the package with which LMDB loads it. A system loads native code only from a file,
 * so the first start writes it to the user's cache folder, under a name with its hash.
 */
export default function loadNativePart(): unknown {
  const native = ownFiles('native');
  const [name = ''] = native.names();
  const loaded = { exports: {} };
  let folder = "the user's cache folder";
  try {
    folder = cacheFolder();
    process.dlopen(loaded, fileIn(folder, name, native.read(name)));
  } catch (error) {
    throw new UnusableStoreError(
      `--store: Mayfly keeps the native part of LMDB in ${folder}, but ${whyUnusable(error)} ` +
        `${VARIABLE} names the folder above it. Without such a folder, use --store memory:, which loses all mail when the service stops.`,
      { cause: error },
    );
  }
  return loaded.exports;
}

/** The user's cache folder for Mayfly. The XDG specification has relative paths ignored. */
function cacheFolder(): string {
  const named = process.env[VARIABLE] ?? '';
  if (path.isAbsolute(named)) return path.join(named, 'mayfly');
  const home = homedir();
  if (!path.isAbsolute(home)) throw new Error('this user has no home folder');
  return path.join(home, '.cache', 'mayfly');
}

/** Returns the path of the file with these bytes, which it writes if it is missing or damaged. */
function fileIn(folder: string, name: string, bytes: Buffer): string {
  for (const one of [path.dirname(folder), folder]) makeFolder(one);
  const file = path.join(folder, name);
  // Follows a link, such as systemd makes for a user that exists only while the service runs. Another user could turn
  // theirs to another folder after this check.
  for (const found of [lstatSync(folder), statSync(folder)]) refuseForeign(found, 'it');
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) refuseForeign(found, name);
  // Compares all bytes, which takes less time than a hash of them.
  if (!found?.isFile() || !readFileSync(file).equals(bytes)) writeWhole(file, bytes);
  return file;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Another user who may write to the file or its folder could plant code. Windows has no such modes. */
function refuseForeign(found: Stats, what: string): void {
  const own = process.geteuid?.();
  // Systems ignore the mode of a link.
  const isOpen = !found.isSymbolicLink() && (found.mode & WRITABLE_BY_OTHERS) !== 0;
  if (own === undefined || ((found.uid === own || found.uid === 0) && !isOpen)) return;
  throw new Error(`another user may write to ${what}`);
}

/** Renames a complete file into place, because other processes may start at the same time. */
function writeWhole(file: string, bytes: Buffer): void {
  const part = `${file}.${randomUUID()}`;
  try {
    writeFileSync(part, bytes, { flag: 'wx', mode: MODE });
    chmodSync(part, MODE);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    // Windows does not replace a file that another process has loaded. That process had checked it.
    if (process.platform !== 'win32' || !readFileSync(file).equals(bytes)) throw error;
  }
}
