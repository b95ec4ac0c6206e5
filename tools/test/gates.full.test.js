import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sizeBreaches, sizesOf } from '../check-size.js';
import { withTree } from './tree.js';

const run = promisify(execFile);
const MODULES = path.resolve('node_modules');

/** What a program of node_modules says in a tree that has these of our files. */
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
    [`${SERVER}/http/http.ts`]: `export * from '../inbox/inboxes.js';\nexport * from '../errors.js';\n`,
    [`${SERVER}/inbox/inboxes.ts`]: `export * from '../store/store.js';\n`,
    [`${SERVER}/inbox/inner.ts`]: 'export const inner = 1;\n',
    'packages/mail/src/read-mail.ts': `import { Buffer } from 'node:buffer';\nexport const text = Buffer.from('');\n`,
    [`${SERVER}/store/store.ts`]: 'export const store = 1;\n',
  };
  const OURS = ['.dependency-cruiser.mjs'];
  const saidOf = (planted) =>
    saidIn({ ...TREE, ...planted }, OURS, 'depcruise', [
      '--config',
      '.dependency-cruiser.mjs',
      'packages/*/src',
      'plugins/*/src',
    ]);

  test('pass in a clean tree', async () => {
    expect(await saidOf({})).toEqual({ code: 0, stdout: expect.stringContaining('no dependency violations') });
  });

  test.each([
    ['against the direction of the parts', `${SERVER}/store/a.ts`, '../inbox/inboxes.js', 'store-uses'],
    ['of a part past its door', `${SERVER}/http/a.ts`, '../inbox/inner.js', 'inbox-door'],
    ['of an engine in a second file', `${SERVER}/store/lmdb/a.ts`, 'lmdb', 'engine-lmdb'],
    [
      'of the server in the client',
      'packages/client/src/a.ts',
      '../../server/src/errors.js',
      'workspace-packages-client',
    ],
    [
      'of the server in the command line',
      'packages/cli/src/a.ts',
      '../../server/src/errors.js',
      'workspace-packages-cli',
    ],
    ['of the server in the page', 'packages/web/src/a.ts', '../../server/src/errors.js', 'workspace-packages-web'],
    [
      'of a plugin in the server',
      `${SERVER}/http/a.ts`,
      '../../../../plugins/mailpit/src/plugin.js',
      'workspace-packages-server',
    ],
    [
      'of the inside of the server in a plugin',
      'plugins/mailpit/src/a.ts',
      '../../../packages/server/src/errors.js',
      'workspace-plugins',
    ],
    [
      'of the compiled inside of the server in a plugin',
      'plugins/mailpit/src/a.ts',
      '../../../packages/server/dist/errors.js',
      'workspace-plugins',
    ],
    [
      'of the client in a plugin',
      'plugins/mailpit/src/a.ts',
      '../../../packages/client/src/index.js',
      'workspace-plugins',
    ],
    ['of another plugin in a plugin', 'plugins/mailhog/src/a.ts', '../../mailpit/src/plugin.js', 'workspace-plugins'],
    [
      'of the inside of the server in the store on Redis',
      'packages/store-redis/src/a.ts',
      '../../server/dist/errors.js',
      'workspace-packages-store-redis',
    ],
    [
      'of the store on Redis in a second file',
      `${SERVER}/store/a.ts`,
      '../../../store-redis/dist/open-redis.js',
      'store-redis-place',
    ],
    [
      'of the store on Redis at every start',
      `${SERVER}/store/open-store.ts`,
      '../../../store-redis/dist/open-redis.js',
      'store-redis-when-named',
    ],
    ['of a module of Node in the client', 'packages/client/src/a.ts', 'node:fs', 'client-in-browser'],
    ['of the disk in mail', 'packages/mail/src/a.ts', 'node:fs', 'pure-parts'],
    ['of threads', `${SERVER}/http/a.ts`, 'node:worker_threads', 'threads'],
    ['of what is not there', `${SERVER}/http/a.ts`, './gone.js', 'resolvable'],
  ])('%s are refused', async (_, file, name, rule) => {
    const { code, stdout } = await saidOf({ [file]: `export * from '${name}';\n` });
    expect(stdout).toContain(`error ${rule}`);
    expect(code).not.toBe(0);
  });

  test('are refused in a circle', async () => {
    const circle = {
      [`${SERVER}/http/a.ts`]: `export * from './b.js';\n`,
      [`${SERVER}/http/b.ts`]: `export * from './a.js';\n`,
    };
    expect((await saidOf(circle)).stdout).toContain('error no-cycles');
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
  const saidOf = (planted) =>
    saidIn({ ...TREE, ...planted }, ['knip.json'], 'knip', ['--include', 'files,exports,types']);

  test.each([
    ['a file that nothing imports', 'packages/cli/src/lost.ts', 'export {};\n', 'lost.ts'],
    [
      'an export that nothing uses',
      'packages/cli/src/line.ts',
      'export const line = () => 1;\nexport const other = 1;\n',
      'other',
    ],
    [
      'a type that nothing uses',
      'packages/cli/src/line.ts',
      'export const line = () => 1;\nexport interface Other {}\n',
      'Other',
    ],
  ])('%s is refused', async (_, file, text, named) => {
    expect((await saidOf({})).stdout).not.toContain(named);
    const { code, stdout } = await saidOf({ [file]: text });
    expect(stdout).toContain(named);
    expect(code).toBe(1);
  });
});

describe('size', () => {
  const FILES = { 'tools/a.js': '1;\n2;\n', 'tools/test/a.test.js': '1;\n2;\n3;\n', 'tools/a.md': '\n\n\n\n' };
  const breachesWith = (budgets) =>
    withTree(FILES, (base) => sizeBreaches(sizesOf(base, Object.keys(FILES), Object.keys(budgets)), budgets));

  test('passes within its budget', async () => {
    expect(await breachesWith({ tools: { lines: 2, files: 1 }, tests: { lines: 3, files: 1 } })).toEqual([]);
  });

  test.each([
    [{ tools: { lines: 1, files: 1 } }, 'tools has 2 lines, and tools/budgets.json allows 1.'],
    [{ tools: { lines: 2, files: 0 } }, 'tools has 1 files'],
    [{ tests: { lines: 2, files: 1 } }, 'tests has 3 lines'],
  ])('beyond the budget %j is refused', async (budgets, sentence) => {
    expect(await breachesWith(budgets)).toEqual([expect.stringContaining(sentence)]);
  });

  test('is limited for every part of the architecture', () => {
    const parts = Object.keys(JSON.parse(readFileSync('tools/budgets.json', 'utf8')));
    expect(parts).toEqual(expect.arrayContaining(['packages/server/src', 'packages/client/src', 'plugins', 'tests']));
  });
});
