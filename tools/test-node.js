// Tests what depends on Node itself on each Node of tools/nodes.js: the oldest that Mayfly supports, the image's, and
// the newest that npm has on the day. With each, a fresh copy of what git knows installs, builds and streams a code.
// Then come the tests of processes and their signals, sockets, TLS, threads, LMDB's native code and the client. All
// other tests run on the Node that runs npm test, and pure code behaves the same on all. Arguments: names of those
// Nodes, and Vitest's, such as paths of tests to run instead.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
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
  'packages/cli/test': ['output'],
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
    'queued-streams',
    'slow-readers',
    'unread-answers',
  ],
  'packages/server/test/service': [
    'bundle',
    'certificate-renewal',
    'durability',
    'end-to-end',
    'full-disk',
    'grace',
    'healthy',
    'http-connections',
    'loaded-files',
    'package',
    'signal-before-ready',
    'signals',
    'start',
    'start-mayfly',
    'stop',
    'store-folder',
    'stream-memory',
    'unread-answers',
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
    'damage',
    'durability',
    'full-disk',
    'full-mount',
    'lmdb',
    'news',
    'opening',
  ],
  'packages/server/test/store/redis': ['link'],
};

const CODE = '482913';

const given = process.argv.slice(2);
const names = given.filter((name) => name in TESTED);
const files = given.filter((name) => !(name in TESTED));
const all = Object.entries(TESTS).flatMap(([folder, tests]) => tests.map((name) => `${folder}/${name}.test.ts`));
const renamed = all.filter((name) => !existsSync(path.join(ROOT, name)));
if (renamed.length > 0) throw new Error(`tools/test-node.js names files that do not exist: ${renamed.join(', ')}`);

const failed = [];
for (const name of names.length > 0 ? names : Object.keys(TESTED)) {
  const node = `Node ${installNode(name)} (${name})`;
  try {
    if (files.length === 0) await testClone(name);
    console.log(`${node}: a fresh clone installs, builds and streams a code.`);
  } catch (error) {
    console.error(`${node}: a fresh clone does not work.`, error);
    failed.push(`${node}, fresh clone`);
  }
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(path.join(binOf(name), 'node'), [vitest, 'run', ...(files.length > 0 ? files : all)], {
    cwd: ROOT,
    env: environmentOf(name),
    stdio: 'inherit',
  });
  if (status !== 0) failed.push(`${node}, tests`);
}
if (failed.length > 0) {
  console.error(`These failed: ${failed.join('; ')}.`);
  process.exit(1);
}

/** Throws unless a fresh clone installs, builds, starts, takes an email and streams its code. */
async function testClone(name) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-clone-'));
  const env = environmentOf(name);
  try {
    const run = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] };
    const known = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
    for (const file of known) cpSync(path.join(ROOT, file), path.join(folder, file));
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], run);
    await streamCode(folder, env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
