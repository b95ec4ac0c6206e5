import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../image-packages.js', import.meta.url));

const MANIFEST = { name: 'service', version: '1.0.0', type: 'module', dependencies: { store: '1.0.0' } };

const LOCKED = {
  '': { name: 'workspaces' },
  server: { version: '1.0.0' },
  'node_modules/store': {
    version: '1.0.0',
    dependencies: { pack: '^1.0.0' },
    optionalDependencies: { other: '1.0.0' },
  },
  'node_modules/pack': { version: '1.2.0' },
  'node_modules/linter': { version: '1.0.0', dev: true },
};

let folder;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mayfly-image-packages-'));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ ...MANIFEST, devDependencies: { linter: '1' } }));
});

afterEach(() => rm(folder, { recursive: true }));

async function narrowed(packages) {
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
  await promisify(execFile)(process.execPath, [SCRIPT], { cwd: folder });
  const read = async (file) => JSON.parse(await readFile(path.join(folder, file), 'utf8'));
  return { manifest: await read('package.json'), packages: (await read('package-lock.json')).packages };
}

test('what the service needs is left, in the versions of the lock file', async () => {
  const { manifest, packages } = await narrowed(LOCKED);
  expect(manifest).toEqual(MANIFEST);
  expect(packages).toEqual({
    '': MANIFEST,
    'node_modules/store': { ...LOCKED['node_modules/store'], optionalDependencies: {} },
    'node_modules/pack': { ...LOCKED['node_modules/pack'], optionalDependencies: {} },
  });
});

test('a version that only one package has stays below that package', async () => {
  const key = 'node_modules/store/node_modules/pack';
  const { packages } = await narrowed({ ...LOCKED, [key]: { version: '2.0.0' } });
  expect(Object.keys(packages)).toEqual(['', 'node_modules/store', key]);
});

test('a version for the service alone stops the build of the image', async () => {
  const packages = { ...LOCKED, 'packages/server/node_modules/store': { version: '2.0.0' } };
  await expect(narrowed(packages)).rejects.toThrow('a version of store for packages/server alone');
});

test('a package that is not locked stops the build of the image', async () => {
  const { 'node_modules/pack': _, ...packages } = LOCKED;
  await expect(narrowed(packages)).rejects.toThrow('The lock file lacks pack');
});
