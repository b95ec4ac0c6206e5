// On each Node of tools/nodes.js, installs and builds a fresh copy and runs the tests that depend most on Node.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { binOf, environmentOf, installNode, TESTED } from './nodes.js';
import { optionsOf } from './options.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Tests of processes and their signals, sockets, TLS, upgrades, LMDB's native code and the client. */
const TESTS = [
  ...['packages/client/test/process', 'packages/client/test/reaching', 'packages/server/test/http/connections'],
  ...['end-to-end', 'signals', 'start-mayfly'].map((name) => `packages/server/test/service/${name}`),
  ...['data', 'data-time', 'tls'].map((name) => `packages/server/test/smtp/${name}`),
  ...['packages/server/test/store/lmdb/opening', 'plugins/mailpit/test/events'],
].map((name) => `${name}.test.ts`);

const USAGE = `Usage: npm run test:node -- [${Object.keys(TESTED).join('|')}]... [TEST]...

Installs a fresh copy on each Node and runs the tests that depend most on Node, or each TEST.

  --built  Tests the build in this folder instead of a fresh copy.`;

const { positionals, built } = optionsOf(USAGE, { built: { type: 'boolean' } }, true);
const names = positionals.filter((name) => name in TESTED);
const given = positionals.filter((name) => !(name in TESTED));

const failed = [];
for (const name of names.length > 0 ? names : Object.keys(TESTED)) {
  const node = `Node ${installNode(name)} (${name})`;
  try {
    if (built) runTests(ROOT, name);
    else testClone(name, node);
  } catch (error) {
    console.error(`${node}: ${error.message}`);
    failed.push(node);
  }
}
if (failed.length > 0) {
  console.error(`These failed: ${failed.join('; ')}.`);
  process.exit(1);
}

function testClone(name, node) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clone-'));
  // Lets other users read the copy, because some tests run the service as another user.
  chmodSync(folder, 0o755);
  const env = environmentOf(name);
  try {
    const run = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] };
    const known = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of known) cpSync(path.join(ROOT, file), path.join(folder, file));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], run);
    console.log(`${node}: a fresh clone installs and builds.`);
    runTests(folder, name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runTests(folder, name) {
  const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs');
  const options = { cwd: folder, env: environmentOf(name), stdio: 'inherit' };
  execFileSync(path.join(binOf(name), 'node'), [vitest, 'run', ...(given.length > 0 ? given : TESTS)], options);
}
