const { lstatSync, mkdirSync, statSync } = require('node:fs');
const { homedir } = require('node:os');
const path = require('node:path');

/** Names the folder that has the cache folders of all programs. */
const VARIABLE = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';

const WRITABLE_BY_OTHERS = 0o022;

/** Returns the user's cache folder for Mayfly; null for a user without a home folder. */
function cacheFolder() {
  const named = process.env[VARIABLE] ?? '';
  // The XDG specification has relative paths ignored.
  if (path.isAbsolute(named)) return path.join(named, 'mayfly');
  try {
    return path.isAbsolute(homedir()) ? path.join(homedir(), '.cache', 'mayfly') : null;
  } catch {
    // Node throws for a user without HOME whom the system does not list.
    return null;
  }
}

/** Makes a cache folder, if it is missing. Throws if another user may write to it. */
function makeCacheFolder(folder) {
  for (const one of [path.dirname(folder), folder]) makeFolder(one);
  // Follows a link, such as systemd makes for a user that exists only while the service runs. Another user could turn
  // theirs to another folder after this check.
  for (const found of [lstatSync(folder), statSync(folder)]) refuseForeign(found, 'it');
}

// Without Node's `recursive`, which never ends in /proc.
function makeFolder(folder) {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Another user who may write to the file or its folder could plant code. Windows has no such modes. */
function refuseForeign(found, what) {
  const own = process.geteuid?.();
  // Systems ignore the mode of a link.
  const isOpen = !found.isSymbolicLink() && (found.mode & WRITABLE_BY_OTHERS) !== 0;
  // The program's owner could plant code in the program.
  const isTrusted = () => [own, 0].includes(found.uid) || found.uid === statSync(process.execPath).uid;
  if (own !== undefined && (isOpen || !isTrusted())) throw new Error(`another user may write to ${what}`);
}

module.exports = { VARIABLE, cacheFolder, makeCacheFolder, refuseForeign };
