#!/usr/bin/env node
// Before anything is loaded: until they are heeded, SIGUSR2 ends a process and SIGUSR1 opens a port for debuggers. What else they mean
// to the service is in server/src/commands/signals.ts.
for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => {});

const { load } = require('./bundle.js');

load('main.js').run();
