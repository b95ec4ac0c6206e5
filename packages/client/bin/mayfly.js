#!/usr/bin/env node
// The build joins the command line into one file, so that a command of the client loads no other file.
const path = require('node:path');
const { otherCommand, run } = require('../dist/bin/mayfly.js');

const folder = path.join(__dirname, '..');
const args = process.argv.slice(2);
const other = otherCommand(folder, args);
if (other === undefined) run(folder, args);
else require(other);
