// Everything that a machine checks without running tests, as many checks at a time as there are processors. Runs all of
// them, and exits with 1 if any has failed.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** The slowest first. */
const CHECKS = [
  'node tools/check-regexes.js',
  'node_modules/.bin/tsc --project tsconfig.tests.json',
  'node_modules/.bin/biome check --error-on-warnings .',
  'node_modules/.bin/depcruise --config .dependency-cruiser.mjs packages/*/src plugins/*/src',
  'node_modules/.bin/knip',
  'node tools/check-size.js',
  'node_modules/.bin/tsc --project packages/web/tsconfig.tests.json',
  'node tools/write-docs.js --check',
  'node tools/check-documents.js',
  'node tools/manifests.js --check',
];

// Most of them look at compiled code.
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const waiting = [...CHECKS];
const failed = [];
await Promise.all(Array.from({ length: availableParallelism() }, runAll));
if (failed.length > 0) {
  console.error(`These checks failed:\n${failed.join('\n')}`);
  process.exitCode = 1;
}

async function runAll() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await passes(check))) failed.push(check);
  }
}

/** Shows what a check says when it has ended, so that no two mix. */
async function passes(check) {
  const [program, ...args] = check.split(' ');
  const child = spawn(program === 'node' ? process.execPath : program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  process.stdout.write(said);
  return code === 0;
}
