#!/usr/bin/env node
const { load } = require('./bundle.js');

load('main.js').run();
