// Caches the code that V8 compiles, so that the next start need not compile it again (Node 22.1 and later). The cache
// is in the user's own folder: in a shared one, such as /tmp, another user could plant code (D51). If that folder is
// not writable, nothing is cached. If NODE_COMPILE_CACHE names a folder, Node itself caches the code there.
const { enableCompileCache } = require('node:module');
const { cacheFolder, makeCacheFolder } = require('./cache-folder.js');

if (enableCompileCache !== undefined && !process.env.NODE_COMPILE_CACHE) enable(cacheFolder());

function enable(folder) {
  if (folder === null) return;
  try {
    // Node itself would make a folder that, with some umasks, other users may write to.
    makeCacheFolder(folder);
    enableCompileCache(folder);
  } catch {
    // Mayfly also starts without a cache.
  }
}
