// The program inside the executable. Everything else is an asset of the executable (tools/build-executable.js).
const { getAssetKeys, getRawAsset } = require('node:sea');
const { isMainThread } = require('node:worker_threads');
const { startBundle } = require('./bundle-loader.js');

// Without a copy, and therefore read-only: writing to an asset's bytes ends the process.
const assets = { names: getAssetKeys, read: (name) => Buffer.from(getRawAsset(name)) };

if (isMainThread) require('../bin/signals.js');
startBundle(assets, isMainThread ? 'main.js' : 'worker.js');
