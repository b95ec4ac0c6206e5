import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sizeBreaches, sizesOf } from '../check-size.js';
import { withTree } from './tree.js';

const run = promisify(execFile);
const MODULES = path.resolve('node_modules');

/** Runs a program of node_modules in a folder with `files` and copies of our files `ours`. Resolves to its output. */
function saidIn(files, ours, program, args) {
  return withTree(files, async (cwd) => {
    for (const name of ours) cpSync(name, path.join(cwd, name));
    symlinkSync(MODULES, path.join(cwd, 'node_modules'));
    const { stdout, code = 0 } = await run(path.join(MODULES, '.bin', program), args, { cwd }).catch((error) => error);
    return { stdout, code };
  });
}

describe('imports', () => {
  const SERVER = 'packages/server/src';
  const TREE = {
    'package.json': '{ "type": "module" }',
    'packages/cli/src/main.ts': 'export const main = 1;\n',
    'packages/client/src/index.ts': 'export const index = 1;\n',
    'packages/mcp/src/tools.ts': 'export {};\n',
    'packages/web/src/feed.ts': 'export {};\n',
    'plugins/mailpit/src/plugin.ts': `export * from '../../../packages/server/dist/plugin/plugin.js';\n`,
    'packages/server/dist/plugin/plugin.js': 'export const clock = 1;\n',
    'packages/server/dist/errors.js': 'export const errors = 1;\n',
    'packages/server/dist/store/seam.js': 'export const seam = 1;\n',
    'packages/store-redis/dist/open-redis.js': 'export const open = 1;\n',
    'packages/store-redis/src/open-redis.ts': `export * from '../../server/dist/store/seam.js';\n`,
    [`${SERVER}/store/open-store.ts`]: `await import('../../../store-redis/dist/open-redis.js');\n`,
    [`${SERVER}/base/clock.ts`]: 'export const clock = 1;\n',
    [`${SERVER}/errors.ts`]: 'export const errors = 1;\n',
    [`${SERVER}/plugin/define.ts`]: `export * from '../base/clock.js';\n`,
    [`${SERVER}/http/app.ts`]: `export * from '../inbox/inboxes.js';\nexport * from '../errors.js';\n`,
    [`${SERVER}/inbox/inboxes.ts`]: `export * from '../store/store.js';\n`,
    [`${SERVER}/inbox/inner.ts`]: 'export const inner = 1;\n',
    'packages/mail/src/read-mail.ts': `import { Buffer } from 'node:buffer';\nexport const text = Buffer.from('');\n`,
    [`${SERVER}/store/store.ts`]: 'export const store = 1;\n',
  };
  const ARGS = ['--config', '.dependency-cruiser.mjs', 'packages/*/src', 'plugins/*/src'];
  const saidOf = (planted) => saidIn({ ...TREE, ...planted }, ['.dependency-cruiser.mjs'], 'depcruise', ARGS);

  test('pass the check in a clean tree', async () => {
    expect(await saidOf({})).toEqual({ code: 0, stdout: expect.stringContaining('no dependency violations') });
  });

  test('are rejected, each by the rule that forbids it', async () => {
    const planted = [
      ['store-uses', `${SERVER}/store/a.ts`, '../inbox/inboxes.js'],
      ['inbox-door', `${SERVER}/http/a.ts`, '../inbox/inner.js'],
      ['engine-lmdb', `${SERVER}/store/c.ts`, 'lmdb'],
      ['workspace-packages-client', 'packages/client/src/a.ts', '../../server/src/errors.js'],
      ['workspace-packages-cli', 'packages/cli/src/a.ts', '../../server/src/errors.js'],
      ['workspace-packages-web', 'packages/web/src/a.ts', '../../server/src/errors.js'],
      ['workspace-packages-server', `${SERVER}/http/b.ts`, '../../../../plugins/mailpit/src/plugin.js'],
      ['workspace-plugins-w-', 'plugins/mailpit/src/a.ts', '../../../packages/server/src/errors.js'],
      ['workspace-plugins-w-', 'plugins/mailpit/src/b.ts', '../../../packages/server/dist/errors.js'],
      ['workspace-plugins-w-', 'plugins/mailpit/src/c.ts', '../../../packages/client/src/index.js'],
      ['workspace-plugins-w-', 'plugins/mailhog/src/a.ts', '../../mailpit/src/plugin.js'],
      ['workspace-packages-store-redis', 'packages/store-redis/src/a.ts', '../../server/dist/errors.js'],
      ['store-redis-place', `${SERVER}/store/b.ts`, '../../../store-redis/dist/open-redis.js'],
      ['store-redis-when-named', `${SERVER}/store/open-store.ts`, '../../../store-redis/dist/open-redis.js'],
      ['client-in-browser', 'packages/client/src/b.ts', 'node:fs'],
      ['pure-parts', 'packages/mail/src/a.ts', 'node:fs'],
      ['threads', `${SERVER}/http/c.ts`, 'node:worker_threads'],
      ['resolvable', `${SERVER}/http/d.ts`, './gone.js'],
      ['no-cycles', `${SERVER}/http/e.ts`, './f.js'],
    ];
    const files = planted.map(([, file, name]) => [file, `export * from '${name}';\n`]);
    const circle = [`${SERVER}/http/f.ts`, `export * from './e.js';\n`];
    const { code, stdout } = await saidOf(Object.fromEntries([...files, circle]));
    expect(planted.filter(([rule, file]) => !stdout.includes(`error ${rule}: ${file} → `))).toEqual([]);
    expect(code).not.toBe(0);
  });
});

describe('dead code', () => {
  const TREE = {
    'package.json': '{ "name": "root", "workspaces": ["packages/cli"] }',
    'tools/a.js': '',
    'packages/cli/package.json': '{ "name": "mayfly-cli", "type": "module" }',
    'packages/cli/src/main.ts': `import { line } from './line.js';\nline();\n`,
    'packages/cli/src/line.ts': 'export const line = () => 1;\n',
  };
  test('fails the check, whether it is a file, an export or a type', async () => {
    const [own, args] = [['knip.json'], ['--include', 'files,exports,types']];
    const line = `${TREE['packages/cli/src/line.ts']}export const other = 1;\nexport interface Unused {}\n`;
    const planted = { 'packages/cli/src/lost.ts': 'export {};\n', 'packages/cli/src/line.ts': line };
    expect(await saidIn(TREE, own, 'knip', args)).toEqual({ code: 0, stdout: '' });
    expect(await saidIn({ ...TREE, ...planted }, own, 'knip', args)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/lost\.ts.*other.*Unused/s),
    });
  });
});

describe('size', () => {
  const FILES = { 'tools/a.js': '1;\n2;\n', 'tools/test/a.test.js': '1;\n2;\n3;\n', 'tools/a.md': '\n\n\n\n' };
  const breachesWith = (budgets) =>
    withTree(FILES, (base) => sizeBreaches(sizesOf(base, Object.keys(FILES), Object.keys(budgets)), budgets));

  test('passes the check with exactly as many lines and files as allowed', async () => {
    expect(await breachesWith({ tools: { lines: 2, files: 1 }, tests: { lines: 3, files: 1 } })).toEqual([]);
  });

  test.each([
    [{ tools: { lines: 1, files: 1 } }, 'tools has 2 lines, and tools/budgets.json allows 1.'],
    [{ tools: { lines: 2, files: 0 } }, 'tools has 1 files'],
    [{ tests: { lines: 2, files: 1 } }, 'tests has 3 lines'],
  ])('is rejected beyond the budget %j', async (budgets, sentence) => {
    expect(await breachesWith(budgets)).toEqual([expect.stringContaining(sentence)]);
  });

  test('has limits in tools/budgets.json for the server, the client, the plugins and the tests', () => {
    const parts = Object.keys(JSON.parse(readFileSync('tools/budgets.json', 'utf8')));
    expect(parts).toEqual(expect.arrayContaining(['packages/server/src', 'packages/client/src', 'plugins', 'tests']));
  });
});
