#!/usr/bin/env node
require('./signals.js');
require('./compile-cache.js');
require('../bundle/main.js').run();
