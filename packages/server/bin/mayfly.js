#!/usr/bin/env node
require('./node-version.js');
require('./signals.js');
require('./compile-cache.js');
require('../bundle/main.js').run();
