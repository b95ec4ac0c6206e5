// Installs the Node versions that Mayfly supports from npm into node_modules/.cache. On each, then installs and builds a
// fresh copy of this project and runs the tests that depend most on Node.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from './manifests.js';
import { optionsOf, refuse } from './options.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = `node-${process.platform}-${process.arch}`;
const NPM = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };

/** The tested versions of Node. `null` means the current version of npm's package `node`. */
export const TESTED = { oldest: '20.19.0', image: '24.21.0', newest: null };

/** Tests of processes and their signals, sockets, TLS, upgrades, LMDB's native code and the client. */
const TESTS = [
  ...['packages/client/test/process', 'packages/client/test/reaching', 'packages/server/test/http/connections'],
  ...['end-to-end', 'signals', 'start-mayfly'].map((name) => `packages/server/test/service/${name}`),
  ...['data', 'data-time', 'tls'].map((name) => `packages/server/test/smtp/${name}`),
  ...['packages/server/test/store/lmdb/opening', 'plugins/mailpit/test/events'],
].map((name) => `${name}.test.ts`);

const USAGE = `Usage: npm run test:node -- [${Object.keys(TESTED).join('|')}]... [--install]

Installs and tests a fresh copy on each Node; with --install, only installs each Node.`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals, install } = optionsOf(USAGE, { install: { type: 'boolean' } }, true);
  const unknown = positionals.find((name) => !(name in TESTED));
  if (unknown !== undefined) refuse(`Unknown Node "${unknown}"`);
  const failed = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(TESTED)) {
    const home = path.join(ROOT, 'node_modules/.cache/nodes', name);
    const node = `Node ${installNode(home, TESTED[name])} (${name})`;
    console.log(`${node} is installed.`);
    try {
      if (!install) testClone(home, node);
    } catch (error) {
      console.error(`${node}: ${error.message}`);
      failed.push(node);
    }
  }
  if (failed.length > 0) console.error(`These failed: ${failed.join('; ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Installs a Node unless it is installed, and returns its version. */
function installNode(home, pinned) {
  const version = pinned ?? execFileSync('npm', ['view', 'node', 'version'], NPM).trim();
  const installed = path.join(home, 'node_modules', PACKAGE);
  if (existsSync(installed) && read(installed, 'package.json').version === version) return version;
  mkdirSync(home, { recursive: true });
  // Adds the newest npm to the newest Node, as Node's releases do. Node's npm package contains no npm.
  const packages = [`${PACKAGE}@${version}`, ...(pinned === null ? ['npm@latest'] : [])];
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', home, ...packages], NPM);
  return version;
}

function testClone(home, node) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clone-'));
  // Lets other users read the copy, because some tests run the service as another user.
  chmodSync(folder, 0o755);
  const bin = path.join(home, 'node_modules', PACKAGE, 'bin');
  const PATH = [bin, path.join(home, 'node_modules/.bin'), process.env.PATH].join(path.delimiter);
  const run = { cwd: folder, env: { ...process.env, PATH }, stdio: ['ignore', 'ignore', 'inherit'] };
  try {
    execFileSync('git', ['checkout-index', '--all', `--prefix=${folder}/`], { cwd: ROOT });
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], run);
    console.log(`${node}: a fresh clone installs and builds.`);
    const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs');
    execFileSync(path.join(bin, 'node'), [vitest, 'run', ...TESTS], { ...run, stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
