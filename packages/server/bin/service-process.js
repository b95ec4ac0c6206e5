// The program that startMayfly starts: see packages/server/src/service-process.ts.
require('./compile-cache.js');
require('../bundle/service-process.js').run();
