// Tests what depends on Node itself on each Node of tools/nodes.js: the oldest that Mayfly supports, the image's, and
// the newest that npm has on the day. With each, a fresh copy of what git knows installs, builds and streams a code.
// Then come the tests of processes and their signals, sockets, TLS, threads, LMDB's native code and the client, or with
// --few only those that use most of Node. All other tests run on the Node that runs npm test, and pure code behaves the
// same on all. Arguments: names of those Nodes, and Vitest's, such as paths of tests to run instead.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { binOf, environmentOf, installNode, TESTED } from './nodes.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** How long a service may take to start, and an email to arrive, on a busy machine. */
const PATIENCE_MS = 120_000;

/** By folder. Tests of our own rules, of other programs and of large numbers ask no more of Node than these. */
const TESTS = {
  'packages/cli/test': ['output.full'],
  'packages/client/test': [
    'api',
    'events',
    'meanwhile',
    'process',
    'reaching',
    'stubborn-fetch',
    'totp',
    'trouble',
    'webhooks',
  ],
  // What stands between Node's HTTP server and its sockets, and uses more of them than their documentation names.
  'packages/server/test/http': [
    'broken-requests',
    'client-left',
    'http-turns',
    'pipeline',
    'slow-readers',
    'unread-answers',
  ],
  'packages/server/test/service': [
    'bundle.full',
    'certificate-renewal.full',
    'durability',
    'end-to-end',
    'full-disk.full',
    'grace',
    'healthy',
    'http-connections',
    'package.full',
    'signal-before-ready.full',
    'signals',
    'start',
    'start-mayfly',
    'stop',
    'store-folder',
    'stream-memory.full',
    'unread-answers.full',
    'wired',
  ],
  'packages/server/test/smtp': [
    'certificate',
    'connection',
    'data',
    'data-time',
    'in-flight',
    'limits',
    'proxies',
    'start-stop',
    'tls',
  ],
  'packages/server/test/store/lmdb': [
    'batches',
    'damage.full',
    'durability',
    'full-disk',
    'full-mount.full',
    'lmdb',
    'news',
    'opening',
  ],
  'packages/server/test/store/redis': ['link'],
};

const CODE = '482913';

/** Those of them that --few runs. */
const FEW =
  /client\/test\/(process|reaching)|http\/pipeline|service\/(signals|start-mayfly)|smtp\/(data|tls)|lmdb\/opening/;

const given = process.argv.slice(2).filter((name) => name !== '--few');
const isFew = given.length < process.argv.length - 2;
const names = given.filter((name) => name in TESTED);
const files = given.filter((name) => !(name in TESTED));
const all = Object.entries(TESTS).flatMap(([folder, tests]) => tests.map((name) => `${folder}/${name}.test.ts`));
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

/** Throws unless a fresh clone installs, builds, starts, takes an email, streams its code, and passes its tests. */
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
    await streamCode(folder, env);
    console.log(`${node}: a fresh clone installs, builds and streams a code.`);
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

async function streamCode(folder, env) {
  const flags = ['--smtp-port', '0', '--http-port', '0', '--store', `lmdb:${path.join(folder, 'data')}`];
  const service = spawn('node', ['packages/server/bin/mayfly.js', 'serve', ...flags], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => service.kill('SIGKILL'), PATIENCE_MS);
  try {
    const [, port, url] = await readyLine(service);
    // That of the clone, on the Node that runs this.
    const { createTransport } = createRequire(path.join(folder, 'package.json'))('nodemailer');
    const stream = await fetch(`${url}/api/inbox/demo/stream`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const mail = {
      from: 'app@app.example',
      to: 'demo@inbox.example.com',
      subject: 'Welcome',
      text: `Your code is ${CODE}.`,
    };
    await createTransport({ host: '127.0.0.1', port: Number(port) }).sendMail(mail);
    const said = await stream.text();
    if (stream.status !== 200 || !said.includes(`"otp":"${CODE}"`)) throw new Error(`The stream said: ${said}`);
    service.kill('SIGTERM');
    const [code] = await new Promise((resolve) => service.once('exit', (...ended) => resolve(ended)));
    if (code !== 0) throw new Error(`The service ended with ${code}.`);
  } finally {
    clearTimeout(timer);
    service.kill('SIGKILL');
  }
}

/** The parts of the line that a service prints when it is ready. */
async function readyLine(service) {
  let said = '';
  for await (const bytes of service.stdout.iterator({ destroyOnReturn: false })) {
    said += bytes;
    const ready = /^ready smtp=\S+:(\d+) http=(\S+)/m.exec(said);
    if (ready !== null) return ready;
  }
  throw new Error(`The service did not start: ${said}`);
}
