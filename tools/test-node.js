// Installs the supported versions of Node from npm into node_modules/.cache, and tests this project on each.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf, refuse } from './options.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = `node-${process.platform}-${process.arch}`;
const { PATH } = process.env;
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

const USAGE = `Usage: npm run test:node -- [${Object.keys(TESTED).join('|')}]... [--built|--install]

Installs and tests a fresh copy on each Node. --built tests the build in this folder instead; --install tests nothing.`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = { built: { type: 'boolean' }, install: { type: 'boolean' } };
  const { positionals, built, install } = optionsOf(USAGE, flags, true);
  const unknown = positionals.find((name) => !(name in TESTED));
  if (unknown !== undefined) refuse(`Unknown Node "${unknown}"`);
  const failed = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(TESTED)) {
    const version = TESTED[name] ?? execFileSync('npm', ['view', 'node', 'version'], NPM).trim();
    const home = path.join(ROOT, 'node_modules/.cache/nodes', `${name}-${version}`);
    if (!existsSync(home)) installNode(home, version, name);
    const node = `Node ${version} (${name})`;
    console.log(`${node} is installed.`);
    process.env.PATH = `${home}/node_modules/${PACKAGE}/bin:${home}/node_modules/.bin:${PATH}`;
    try {
      if (built) runTests(ROOT);
      else if (!install) testClone();
    } catch (error) {
      console.error(`${node}: ${error.message}`);
      failed.push(node);
    }
  }
  if (failed.length > 0) console.error(`These failed: ${failed.join('; ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Installs a Node in a separate folder and then renames it, because two tests may install the same one in parallel. */
function installNode(home, version, name) {
  const prefix = `${home}.${process.pid}`;
  // Adds the newest npm to the newest Node, as Node's releases do. Node's npm package contains no npm.
  const packages = [`${PACKAGE}@${version}`, ...(TESTED[name] === null ? ['npm@latest'] : [])];
  try {
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix, ...packages], NPM);
    renameSync(prefix, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
  } finally {
    rmSync(prefix, { recursive: true, force: true });
  }
}

function testClone() {
  const cwd = mkdtempSync(path.join(tmpdir(), 'mayfly-clone-'));
  // Lets other users read the copy, because some tests run the service as another user.
  chmodSync(cwd, 0o755);
  try {
    execFileSync('git', ['checkout-index', '--all', `--prefix=${cwd}/`], { cwd: ROOT });
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    runTests(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

function runTests(cwd) {
  execFileSync('npx', ['vitest', 'run', ...TESTS], { cwd, stdio: 'inherit' });
}
