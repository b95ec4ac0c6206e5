// Runs on Node 24 the tests that depend on Node itself: processes and their signals, sockets, TLS, threads, LMDB's
// native code and the client. All other tests run on the oldest Node that Mayfly supports, and pure code behaves the
// same on both. The binary comes from npm (tools/node24), which has it for Linux. Arguments are Vitest's: paths of
// tests to run instead.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOME = path.join(ROOT, 'tools/node24');
const BIN = path.join(HOME, `node_modules/node-${process.platform}-${process.arch}/bin`);

/** By folder. Tests of our own rules, of other programs and of large numbers ask no more of Node than these. */
const TESTS = {
  'cli/test': ['output'],
  'client/test': ['api', 'events', 'meanwhile', 'process', 'reaching', 'stubborn-fetch', 'totp', 'trouble', 'webhooks'],
  // What stands between Node's HTTP server and its sockets, and uses more of them than their documentation names.
  'server/test/http': [
    'broken-requests',
    'client-left',
    'http-turns',
    'pipeline',
    'queued-streams',
    'slow-readers',
    'unread-answers',
  ],
  'server/test/service': [
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
  'server/test/smtp': [
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
  'server/test/store/lmdb': ['batches', 'damage', 'durability', 'full-disk', 'full-mount', 'lmdb', 'news', 'opening'],
  'server/test/store/redis': ['link'],
};

if (!existsSync(path.join(BIN, 'node'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', HOME], { stdio: ['ignore', 'ignore', 'inherit'] });
}
if (!existsSync(path.join(BIN, 'node'))) {
  console.error(`node24: there is no binary of it for ${process.platform} on ${process.arch}.`);
  process.exit(1);
}

const given = process.argv.slice(2);
const all = Object.entries(TESTS).flatMap(([folder, names]) => names.map((name) => `${folder}/${name}.test.ts`));
const renamed = all.filter((name) => !existsSync(path.join(ROOT, name)));
if (renamed.length > 0) throw new Error(`test-node24.js names files that are not there: ${renamed.join(', ')}`);
const files = given.length > 0 ? given : all;
// Programs that start Node by its name, as npm does, get this one, too.
const env = { ...process.env, PATH: `${BIN}${path.delimiter}${process.env.PATH}` };
const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(path.join(BIN, 'node'), [vitest, 'run', ...files], { cwd: ROOT, env, stdio: 'inherit' });
process.exit(status ?? 1);
