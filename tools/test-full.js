// Runs the full tier: all tests, and the commands below.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { install } from './install.js';
import { missingOf, needsOf, trackedFiles } from './needs.js';
import { optionsOf, refuse } from './options.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNNERS = 'runners and frameworks';
const VENV = 'environments of Python';

/** A command with its needs for each tenth. Without Spring and Testcontainers for Go and Java, which are too large. */
const COMMANDS = [
  ['bash clients/python/check.sh', VENV],
  [
    'node examples/run.js vitest matchers jest node-test playwright-first pytest ruby go',
    ...[RUNNERS, 'pytest', 'Ruby with mail', 'go'],
  ],
  [
    'node examples/run.js link-scanners playwright nextjs-resend webdriverio',
    ...[RUNNERS, 'the example with Next.js', 'Chromium', 'chromedriver'],
  ],
  [
    'node examples/applications/run.js django django-5 rails authjs better-auth maestro',
    ...['frameworks of applications', 'Ruby with Action Mailer', VENV],
  ],
  ['bash examples/testcontainers/check.sh python', VENV],
  ['node bench/instructions.js', 'valgrind'],
  ['node bench/abuse.js --short --untimed'],
  ['node tools/test-node.js oldest'],
  ['node tools/test-node.js image'],
  ['node tools/test-node.js newest'],
].map(([command, ...needed]) => ({ command, needed }));

const USAGE = `Usage: node tools/test-full.js [TENTH] [--install] [--list]

Runs the quick tests, the files named *.full.test.*, and other commands; with TENTH, from 0 to ${COMMANDS.length - 1}, only a tenth of the
files and commands. Skips any with missing needs. --install installs all needs first; --list only prints the needs.`;

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
  const env = { ...process.env, ...(values.install ? { SKIP_NOTHING: 'true' } : {}) };
  const runs = (command) => {
    const { status } = spawnSync('bash', ['-c', command], { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) failed.push(`"${command}" failed.`);
  };
  runs(`node_modules/.bin/vitest run ${tenth === null ? '' : files.join(' ')}`);
  for (const { command, needed: its } of commands) {
    const missing = missingOf(its).map(({ name, advice }) => `${name} (${advice})`);
    if (missing.length === 0) runs(command);
    else console.log(`Skipped "${command}": needs ${missing.join('; ')}.`);
  }
  for (const failure of failed) console.error(failure);
  return failed.length === 0;
}
