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

const TESTS = [
  'cli/test/commands.test.ts',
  'client/test',
  // What stands between Node's HTTP server and its sockets, and uses more of them than their documentation names.
  ...[
    'broken-requests',
    'client-left',
    'http-turns',
    'pipeline',
    'queued-streams',
    'slow-readers',
    'unread-answers',
  ].map((name) => `server/test/http/${name}.test.ts`),
  'server/test/service',
  'server/test/smtp',
  'server/test/store/lmdb',
  'server/test/store/redis/link.test.ts',
];

/**
 * Tests of our own rules and of other programs, and those of large numbers. Shorter tests ask the same of Node.
 */
const LEFT_OUT = [
  'client/test/consumers.test.ts',
  'client/test/contents.test.ts',
  'client/test/fixtures.test.ts',
  'client/test/link-scan.test.ts',
  'client/test/many-tests.test.ts',
  'client/test/masked-email.test.ts',
  'client/test/matcher-runners.test.ts',
  'client/test/matchers.test.ts',
  'client/test/package.test.ts',
  'client/test/playwright.test.ts',
  'client/test/random-waits.test.ts',
  'client/test/runners.test.ts',
  'client/test/testcontainers.test.ts',
  'client/test/wait-cases.test.ts',
  'server/test/service/clearing.test.ts',
  'server/test/service/compat.test.ts',
  'server/test/service/export.test.ts',
  'server/test/service/memory-limit.test.ts',
  'server/test/service/private-inboxes.test.ts',
  'server/test/service/reading-turns.test.ts',
  'server/test/service/redis-cluster.test.ts',
  'server/test/service/redis.test.ts',
  'server/test/service/shared-clock.test.ts',
  'server/test/service/shared-limits.test.ts',
  'server/test/service/spaces-on-redis.test.ts',
  'server/test/service/spaces.test.ts',
  'server/test/service/summaries.test.ts',
  'server/test/service/whole-addresses.test.ts',
  'server/test/smtp/conversations.test.ts',
  'server/test/smtp/fuzz.test.ts',
  'server/test/smtp/haproxy.test.ts',
  'server/test/smtp/hostile.test.ts',
  'server/test/smtp/memory-used-again.test.ts',
  'server/test/smtp/postfix.test.ts',
  'server/test/smtp/real-clients.test.ts',
  'server/test/store/lmdb/space.test.ts',
];

if (!existsSync(path.join(BIN, 'node'))) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefix', HOME], { stdio: ['ignore', 'ignore', 'inherit'] });
}
if (!existsSync(path.join(BIN, 'node'))) {
  console.error(`node24: there is no binary of it for ${process.platform} on ${process.arch}.`);
  process.exit(1);
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : [...TESTS, ...LEFT_OUT.flatMap((name) => ['--exclude', name])];
// Programs that start Node by its name, as npm does, get this one, too.
const env = { ...process.env, PATH: `${BIN}${path.delimiter}${process.env.PATH}` };
const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(path.join(BIN, 'node'), [vitest, 'run', ...files], { cwd: ROOT, env, stdio: 'inherit' });
process.exit(status ?? 1);
