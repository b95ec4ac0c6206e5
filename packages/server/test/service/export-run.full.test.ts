import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, type RunningMayfly, runMayfly, serve, temporaryFolder } from './process.js';

const SECRET = 'k3v2x7m5q4tpk3v2x7m5q4tpk3';
const UNKNOWN = 'a'.repeat(26);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let mayfly: RunningMayfly;

beforeAll(async () => {
  folder = await temporaryFolder();
  mayfly = await serve(['--store', 'memory:']);
  const test = { id: 'one', title: 'signs up', outcome: 'failed', inboxes: ['demo'], error: 'No code', waits: [] };
  await fetch(`${mayfly.url}/api/run/${SECRET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tests: [test] }),
  });
  await writeFile(path.join(folder.path, 'there.html'), 'mine');
  await mkdir(path.join(folder.path, 'empty'));
});

afterAll(async () => {
  endAll();
  await folder.remove();
});

const exported = (secret: string, file: string, prefix: readonly string[] = []) =>
  runMayfly(['export', '--run', secret, path.join(folder.path, file), '--url', mayfly.url], {}, { prefix });

test('export --run writes a run to one file', async () => {
  const { exitCode, stdout, stderr } = await exported(SECRET, 'run.html');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^1 test written to .*run\.html\.\n$/);
  expect(await readFile(path.join(folder.path, 'run.html'), 'utf8')).toContain('signs up');
});

test.each([
  [SECRET, 'there.html', 2, /^mayfly: \S+there\.html cannot be written: it exists already\. Use a new file\.\n$/],
  [
    SECRET,
    'missing/run.html',
    2,
    /^mayfly: \S+ cannot be written: its folder does not exist\. Create the folder first\.\n$/,
  ],
  [
    SECRET,
    'there.html/run.html',
    2,
    /^mayfly: \S+ cannot be written: part of its path is a file, not a folder\. Use another path\.\n$/,
  ],
  [
    SECRET,
    `${'x'.repeat(300)}.html`,
    2,
    /^mayfly: \S+ cannot be written: its name is too long\. Use a shorter one\.\n$/,
  ],
  [SECRET, 'empty', 2, /^mayfly: \S+ cannot be written: it exists already\. Use a new file\.\n$/],
  [UNKNOWN, 'unknown.html', 1, /^mayfly: The service has no test of this run, so no file was written\.\n$/],
  ['short', 'short.html', 2, /^mayfly: --run is not a run secret\. Use 26 characters of a-z and 2-7\.\n$/],
])(
  'export --run of %s into %s exits with %i and prints a message to standard error',
  async (secret, file, code, sentence) => {
    const { exitCode, stdout, stderr } = await exported(secret, file);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(sentence);
  },
);

test('export --run does not overwrite an existing file, even if the process cannot open any more files', async () => {
  // Tries several limits, because versions of Node open different numbers of files before the check opens one.
  const limits = Array.from({ length: 16 }, (_, n) => 16 + n);
  for (const limit of limits) {
    await exported(SECRET, 'there.html', ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh']);
    expect([limit, await readFile(path.join(folder.path, 'there.html'), 'utf8')]).toEqual([limit, 'mine']);
  }
});

test('export --run changes no existing file and leaves no temporary one', async () => {
  expect(await readFile(path.join(folder.path, 'there.html'), 'utf8')).toBe('mine');
  expect((await readdir(folder.path)).sort()).toEqual(['empty', 'run.html', 'there.html']);
});
