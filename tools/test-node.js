// Tests what depends on Node itself on each Node of tools/nodes.js: the oldest that Mayfly supports, the image's, and
// the newest that npm has on the day. With each, a fresh copy of what git knows installs and builds.
// Then come the tests of processes and their signals, sockets, TLS, threads, LMDB's native code and the client, or with
// --few only those that use most of Node. All other tests run on the Node that runs npm test, and pure code behaves the
// same on all. Arguments: names of those Nodes, and Vitest's, such as paths of tests to run instead.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { binOf, environmentOf, installNode, TESTED } from './nodes.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** By folder. Tests of our own rules, of other programs and of large numbers ask no more of Node than these. */
const TESTS = {
  'packages/cli/test': 'output.full',
  'packages/client/test': 'api events meanwhile process reaching stubborn-fetch totp trouble webhooks',
  'packages/server/test/http': 'broken-requests connections large-answers.full',
  'packages/server/test/service':
    'certificate-renewal.full durability end-to-end full-disk.full grace healthy package.full' +
    ' signal-before-ready.full signals start start-mayfly stop store-folder wired',
  'packages/server/test/smtp': 'connection data data-time in-flight limits proxies start-stop tls',
  'packages/server/test/store/lmdb': 'damage.full full-disk lmdb opening',
  // Node has changed how it handles upgrades in 24.9.
  'plugins/mailpit/test': 'events',
};

/** Those of them that --few runs. */
const FEW =
  /client\/test\/(process|reaching)|http\/connections|service\/(end-to-end|signals|start-mayfly)|smtp\/(data|tls)|lmdb\/opening/;

const given = process.argv.slice(2).filter((name) => name !== '--few');
const isFew = given.length < process.argv.length - 2;
const names = given.filter((name) => name in TESTED);
const files = given.filter((name) => !(name in TESTED));
const all = Object.entries(TESTS).flatMap(([folder, tests]) =>
  tests.split(' ').map((name) => `${folder}/${name}.test.ts`),
);
const renamed = all.filter((name) => !existsSync(path.join(ROOT, name)));
if (renamed.length > 0) throw new Error(`tools/test-node.js names files that do not exist: ${renamed.join(', ')}`);

const failed = [];
for (const name of names.length > 0 ? names : Object.keys(TESTED)) {
  const node = `Node ${installNode(name)} (${name})`;
  try {
    if (files.length > 0) runTests(ROOT, name, files);
    else await testClone(name, node);
  } catch (error) {
    console.error(`${node}: ${error.message}`);
    failed.push(node);
  }
}
if (failed.length > 0) {
  console.error(`These failed: ${failed.join('; ')}.`);
  process.exit(1);
}

/** Throws unless a fresh clone installs, builds, and passes its tests, which start a service and stream a code. */
async function testClone(name, node) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clone-'));
  // Some tests run the service as another user.
  chmodSync(folder, 0o755);
  const env = environmentOf(name);
  try {
    const run = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] };
    const known = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of known) cpSync(path.join(ROOT, file), path.join(folder, file));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], run);
    console.log(`${node}: a fresh clone installs and builds.`);
    runTests(folder, name, isFew ? all.filter((file) => FEW.test(file)) : all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws unless tests of a clone pass. */
function runTests(folder, name, tests) {
  const vitest = path.join(folder, 'node_modules/vitest/vitest.mjs');
  const options = { cwd: folder, env: environmentOf(name), stdio: 'inherit' };
  execFileSync(path.join(binOf(name), 'node'), [vitest, 'run', ...tests], options);
}
