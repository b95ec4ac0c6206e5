// What startMayfly starts: see packages/server/src/service-process.ts.
const { keepCode, load } = require('./bundle.js');

/** As in mayfly.js. */
const KEEP_CODE_AFTER_MS = 5_000;

load('service-process.js').run();
setTimeout(keepCode, KEEP_CODE_AFTER_MS).unref();
