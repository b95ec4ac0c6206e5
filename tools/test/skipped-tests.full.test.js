import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TESTS = `
  import { needs, skipUnless } from ${JSON.stringify(path.join(ROOT, 'tools/needs.js'))};
  describe('a group', needs('redis-server', 'curl'), () => {
    test.each([1, 2])('%i', () => { throw new Error('was run'); });
  });
  test('left out', skipUnless(false, 'npm run other runs it'), () => { throw new Error('was run'); });
  test('run', needs('root'), () => {});
`;

/** Runs a file of tests without any program on the path. Resolves to the output and the content of SKIPPED_FILES. */
async function run(variables, tests = TESTS) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-skipped-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'some.test.js'), tests);
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = { globals: true, reporters: ['default', path.join(ROOT, 'tools/needs.js')] };
  await writeFile(path.join(folder, 'vitest.config.mjs'), `export default { test: ${JSON.stringify(config)} };`);
  const env = { PATH: '', SKIPPED_FILES: path.join(folder, 'skipped'), ...variables };
  const said = await promisify(execFile)(process.execPath, [vitest, 'run'], { env, cwd: folder }).catch(
    (error) => error,
  );
  return { said: said.stdout + said.stderr, code: said.code, files: await readFile(env.SKIPPED_FILES, 'utf8') };
}

test('the end of a run lists the needs of skipped tests, how to install them, and the files to run again', async () => {
  const { said, code, files } = await run({});
  expect(code).toBeUndefined();
  expect(said).toContain('Skipped 2 tests in 1 file: needs redis-server (apt install redis-server).\n');
  expect(said).toContain('Skipped 2 tests in 1 file: needs curl (apt install curl).\n');
  expect(said).toContain('Skipped 1 test in 1 file: npm run other runs it.\n');
  expect(files).toBe('some.test.js\n');
});

test('a file is listed for a second run only if a missing program caused a skipped test in it', async () => {
  const { said, files } = await run({}, TESTS.replace(/ describe\([\s\S]*?\n {2}\}\);/, ''));
  expect(said).toContain('Skipped 1 test in 1 file: npm run other runs it.\n');
  expect(files).toBe('');
});

test('with SKIP_NOTHING=true, a file fails if a program that its tests need is not installed', async () => {
  const { said, code } = await run({ SKIP_NOTHING: 'true' });
  expect(code).toBe(1);
  expect(said).toContain('SKIP_NOTHING=true, but these are missing: redis-server (apt install redis-server); curl (');
});
