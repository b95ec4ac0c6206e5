const { homedir } = require('node:os');
const path = require('node:path');

/** Names the folder that has the cache folders of all programs. */
const VARIABLE = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';

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

module.exports = { VARIABLE, cacheFolder };
