import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { analyseTypes, installPacked, type Packed, ROOT, sbomIn } from '../../../client/test/packed.js';
import { temporaryFolder } from './process.js';

const run = promisify(execFile);

const TYPED = `
import { SettingsError, startMayfly, type StartedMayfly } from 'mayfly-inbox';
export const sentence = (error: unknown): string => (error instanceof SettingsError ? error.message : '');
export const mayfly: StartedMayfly = await startMayfly({ domain: ['a.test'], httpPort: 0, page: false, retention: '5m' });
export const port: number = mayfly.smtp.port;
// @ts-expect-error There is no such option.
await startMayfly({ retenton: '5m' });
// @ts-expect-error The option page is a boolean.
await startMayfly({ page: 'no' });
`;

let project: Awaited<ReturnType<typeof temporaryFolder>>;
let packed: Packed;

beforeAll(async () => {
  project = await temporaryFolder();
  packed = await installPacked(project.path, path.join(ROOT, 'packages/server'));
  await writeFile(path.join(project.path, 'package.json'), '{ "type": "module" }');
});

afterAll(() => project.remove());

const inProject = (program: string, args: readonly string[]) => run(program, args, { cwd: project.path });

test('the packed service contains the code, README and licences, and nothing specific to one version of Node', () => {
  for (const file of ['README.md', 'LICENSE', 'bundle/LICENSES.txt', 'bundle/start-mayfly.d.ts', 'bundle/main.js']) {
    expect(packed.files).toContain(file);
  }
  expect(packed.files.filter((file) => /\.(?:code|map|tsbuildinfo)$|^src|^test/.test(file))).toEqual([]);
  expect(packed.files.filter((file) => file.startsWith('api/'))).toEqual(['api/openapi.json']);
});

test('the packed service passes publint', async () => {
  const { stderr } = await inProject(path.join(ROOT, 'node_modules/.bin/publint'), ['run', packed.tarball, '--strict']);
  expect(stderr).toBe('');
});

test('the types of the packed service resolve in every module system', async () => {
  const { entrypoints, problems } = await analyseTypes(packed);
  expect(entrypoints).toEqual(['.', './plugin', './package.json']);
  expect(problems).toEqual([]);
});

test.each([
  ['start.mjs', "import { startMayfly } from 'mayfly-inbox';"],
  ['start.cjs', "const { startMayfly } = require('mayfly-inbox');"],
])('a project starts and stops a service in %s', async (file, load) => {
  const script = `${load}
    startMayfly({ tls: 'self-signed', corsOrigin: ['https://app.example.com'] }).then(async (mayfly) => {
      const { status } = await fetch(mayfly.url + '/readyz');
      await mayfly.stop();
      console.log(status);
    });`;
  await writeFile(path.join(project.path, file), script);
  expect(await inProject(process.execPath, [file])).toEqual({ stdout: '200\n', stderr: '' });
});

test('a project can run the mayfly command of the packed service', async () => {
  const mayfly = path.join(project.path, 'node_modules/mayfly-inbox/bin/mayfly.js');
  const { stdout } = await inProject(process.execPath, [mayfly, 'help', 'serve']);
  expect(stdout).toMatch(/^Usage: mayfly serve/);
  expect((await inProject(process.execPath, [mayfly, '-v'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the packed service serves a coding agent until it disconnects', async () => {
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

test('the types of the packed service list the options', async () => {
  await writeFile(path.join(project.path, 'typed.mts'), TYPED);
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'node16', '--types', '', 'typed.mts'];
  const tsc = path.join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = await inProject(tsc, flags).catch((error) => error);
  expect(stdout).toBe('');
});

test('the SBOM of the packed service lists each dependency with version and licence', async () => {
  const { bomFormat, specVersion, metadata, components } = await sbomIn(project.path, 'mayfly-inbox');
  const manifest = await installedManifest();
  expect({ bomFormat, specVersion }).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: expect.stringMatching(/^1\.[56]$/),
  });
  expect(metadata.component).toMatchObject({ name: 'mayfly-inbox', version: manifest.version });
  const purls = components.map(({ purl }) => decodeURIComponent(purl));
  for (const name of Object.keys(manifest.dependencies)) {
    expect(purls).toContainEqual(expect.stringContaining(`pkg:npm/${name}@`));
  }
  for (const { name, version, licenses } of components) {
    expect({ name, version, licenses }).toEqual({
      name,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      licenses: [{ license: { id: expect.stringMatching(/^[\w.-]+$/) } }],
    });
  }
});

test('the SBOM of the packed service lists each bundled package with its version', async () => {
  const bundled = await bundledPackages();
  const { dependencies } = await installedManifest();
  const exact = Object.entries<string>(dependencies).filter(([, version]) => /^\d/.test(version));
  expect(exact.length).toBeGreaterThan(0);
  for (const [name, version] of exact) expect(bundled.get(name)).toBe(version);
});

test('the packed service contains the licences of the bundled packages', async () => {
  const file = path.join(project.path, 'node_modules/mayfly-inbox/bundle/LICENSES.txt');
  const sections = (await readFile(file, 'utf8')).split(`\n${'-'.repeat(80)}\n\n`);
  const names = [...(await bundledPackages()).keys()];
  expect(names).toContain('preact');
  for (const name of names) {
    expect(sections.find((section) => section.startsWith(`${name} `))).toMatch(
      /Permission (?:is hereby granted|to use, copy)|Apache License|Redistribution and use/,
    );
  }
});

async function installedManifest() {
  return JSON.parse(await readFile(path.join(project.path, 'node_modules/mayfly-inbox/package.json'), 'utf8'));
}

/** Returns the versions of the packages that the SBOM marks as bundled. */
async function bundledPackages(): Promise<Map<string, string>> {
  const { components } = await sbomIn(project.path, 'mayfly-inbox');
  const bundled = components.filter(({ properties }) =>
    properties.some(({ name }) => name === 'cdx:npm:package:bundled'),
  );
  return new Map(bundled.map(({ name, version }) => [name, version]));
}
