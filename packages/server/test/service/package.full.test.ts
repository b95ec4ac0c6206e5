import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyseTypes, installPacked, type Packed, ROOT } from '../../../client/test/packed.js';
import { temporaryFolder } from './process.js';

const run = promisify(execFile);

/** What the bundle leaves out, and what that needs: all that a user's project gets beside the package. */
const DEPENDENCIES = ['lmdb'];

const TYPED = `
import { SettingsError, startMayfly, type StartedMayfly } from 'mayfly-inbox';
export const sentence = (error: unknown): string => (error instanceof SettingsError ? error.message : '');
export const mayfly: StartedMayfly = await startMayfly({ domain: ['a.test'], httpPort: 0, page: false, retention: '5m' });
export const port: number = mayfly.smtp.port;
// @ts-expect-error There is no such option.
await startMayfly({ retenton: '5m' });
// @ts-expect-error It is on or off.
await startMayfly({ page: 'no' });
`;

let project: Awaited<ReturnType<typeof temporaryFolder>>;
let packed: Packed;

beforeAll(async () => {
  project = await temporaryFolder();
  packed = await installPacked(project.path, path.join(ROOT, 'packages/server'));
  const modules = path.join(project.path, 'node_modules');
  // They find what they need themselves where they really are.
  for (const name of DEPENDENCIES) await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
});

afterAll(() => project.remove());

const inProject = (program: string, args: readonly string[]) => run(program, args, { cwd: project.path });

test('the tarball holds what is run and what a stranger needs to know, and nothing made for one version of Node', () => {
  for (const file of ['README.md', 'LICENSE', 'bundle/LICENSES.txt', 'bundle/start-mayfly.d.ts', 'bundle/main.js']) {
    expect(packed.files).toContain(file);
  }
  expect(packed.files.filter((file) => /\.(?:code|map|tsbuildinfo)$|^src|^test/.test(file))).toEqual([]);
  expect(packed.files.filter((file) => file.startsWith('api/'))).toEqual(['api/openapi.json']);
});

test('it installs nothing but these packages', async () => {
  const manifest = await readFile(path.join(project.path, 'node_modules/mayfly-inbox/package.json'), 'utf8');
  expect(Object.keys(JSON.parse(manifest).dependencies)).toEqual(DEPENDENCIES);
});

test('it pleases publint', async () => {
  const { stderr } = await inProject(path.join(ROOT, 'node_modules/.bin/publint'), ['run', packed.tarball, '--strict']);
  expect(stderr).toBe('');
});

test('its types fit each way to load it', async () => {
  expect(await analyseTypes(packed)).toEqual({ entrypoints: ['.', './package.json'], problems: [] });
});

test.each([
  ['start.mjs', "import { startMayfly } from 'mayfly-inbox';"],
  ['start.cjs', "const { startMayfly } = require('mayfly-inbox');"],
])('a project starts and stops a service in %s', async (file, load) => {
  const script = `${load}
    startMayfly().then(async (mayfly) => {
      const { status } = await fetch(mayfly.url + '/readyz');
      await mayfly.stop();
      console.log(status);
    });`;
  await writeFile(path.join(project.path, file), script);
  expect(await inProject(process.execPath, [file])).toEqual({ stdout: '200\n', stderr: '' });
});

test('its command runs', async () => {
  const mayfly = path.join(project.path, 'node_modules/mayfly-inbox/bin/mayfly.js');
  const { stdout } = await inProject(process.execPath, [mayfly, 'help', 'serve']);
  expect(stdout).toMatch(/^Usage: mayfly serve/);
  expect((await inProject(process.execPath, [mayfly, '-v'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('it serves a coding agent, until that leaves', async () => {
  const mayfly = path.join(project.path, 'node_modules/mayfly-inbox/bin/mayfly.js');
  const serving = inProject(process.execPath, [mayfly, 'mcp']);
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const { stdin, stdout } = serving.child;
  stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`);
  stdout?.once('data', () => stdin?.end());
  const answer = await serving;
  expect(answer.stderr).toBe('');
  expect(JSON.parse(answer.stdout)).toMatchObject({
    result: { serverInfo: { name: 'mayfly', version: expect.stringMatching(/^\d+\.\d+\.\d+/) } },
  });
});

test('its types name the options', async () => {
  await writeFile(path.join(project.path, 'typed.mts'), TYPED);
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'node16', '--types', '', 'typed.mts'];
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await inProject(tsc, flags).catch((error) => error);
  expect(stdout).toBe('');
});

test('the licences of the packages that are built in go with it', async () => {
  const { devDependencies } = JSON.parse(await readFile(path.join(ROOT, 'packages/server/package.json'), 'utf8'));
  const file = path.join(project.path, 'node_modules/mayfly-inbox/bundle/LICENSES.txt');
  const sections = (await readFile(file, 'utf8')).split(`\n${'-'.repeat(80)}\n\n`);
  const sectionOf = (name: string) => sections.find((section) => section.startsWith(`${name} `));
  for (const name of Object.keys(devDependencies).filter((one) => !one.startsWith('mayfly-'))) {
    expect(sectionOf(name)).toMatch(/Permission is hereby granted|Apache License|Redistribution and use/);
  }
  // Of the workspaces that are built in.
  for (const name of ['ws', 'zod']) expect(sectionOf(name)).toContain('Permission is hereby granted');
  for (const name of ['server', 'core']) {
    expect(sectionOf(`@modelcontextprotocol/${name}`)).toContain('Grant of Copyright License');
  }
});
