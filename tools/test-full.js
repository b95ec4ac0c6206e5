// Runs the full tier: all tests, and the commands in test-full.yaml.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { install, shell } from './install.js';
import { missingOf, needsOf, trackedFiles } from './needs.js';
import { optionsOf, refuse } from './options.js';

const COMMANDS = parse(readFileSync(new URL('test-full.yaml', import.meta.url), 'utf8'));

const USAGE = `Usage: node tools/test-full.js [TENTH] [--install] [--list]

Runs the quick tests, the files named *.full.test.*, and other commands; with TENTH, from 0 to ${COMMANDS.length - 1}, only a tenth of the
files and commands. Skips those with missing needs. --install installs all needs first; --list only prints the needs.`;

const { positionals, ...values } = optionsOf(USAGE, { install: { type: 'boolean' }, list: { type: 'boolean' } }, true);
const [tenth = null] = positionals.map(Number);
if (tenth !== null && !(tenth in COMMANDS))
  refuse(`"${positionals[0]}" is not a tenth: give a number from 0 to ${COMMANDS.length - 1}`);
const isDue = (_, at) => tenth === null || at % COMMANDS.length === tenth;
const files = trackedFiles('test-full', '*.full.test.*').filter(isDue);
const commands = COMMANDS.filter(isDue);
const needed = [...new Set([...files.flatMap((file) => needsOf(file)), ...commands.flatMap((one) => one.needed)])];

if (values.list) console.log(needed.join('\n'));
else process.exitCode = run() ? 0 : 1;

function run() {
  if (tenth !== null) {
    console.log(`Tenth ${tenth} of the full tier:`);
    for (const name of [...files, ...commands.map(({ command }) => command)]) console.log(`  ${name}`);
  }
  const failed = values.install ? install(needed) : [];
  const runs = (command) => {
    if (shell(command, values.install ? { SKIP_NOTHING: 'true' } : {}) !== 0) failed.push(`"${command}" failed.`);
  };
  runs(`node_modules/.bin/vitest run ${tenth === null ? '' : files.join(' ')}`);
  for (const { command, needed: its } of commands) {
    const missing = missingOf(its).map(({ described }) => described);
    if (missing.length === 0) runs(command);
    else console.log(`Skipped "${command}": needs ${missing.join('; ')}.`);
  }
  for (const failure of failed) console.error(failure);
  return failed.length === 0;
}
