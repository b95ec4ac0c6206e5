import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notesOf, pack, publishedWorkspaces, releaseBreaches, tarballBreaches } from '../release.js';
import { withTree } from './tree.js';

const run = promisify(execFile);

/** Time limit for packing, which takes some seconds, or many on a slow machine. */
const PACKING_TIMEOUT_MS = 900_000;

const CHANGES =
  '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n### Sending\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- The beginning.\n';

/** Returns the files of a project whose version 0.2.0 may be released. */
function project({ changes = CHANGES, repository = 'someone/mayfly', version = '0.2.0' } = {}) {
  const root = {
    version,
    license: 'MIT',
    workspaces: [],
    repository: { url: `git+https://github.com/${repository}.git` },
  };
  return {
    'package.json': JSON.stringify(root),
    'package-lock.json': JSON.stringify({ version, packages: { '': { version } } }),
    'CHANGELOG.md': changes,
  };
}

const breachesOf = (files, tag = 'v0.2.0') => withTree(files, (base) => releaseBreaches(base, tag));

describe('a release', () => {
  test('passes if tag, version and changelog agree', async () => {
    expect(await breachesOf(project())).toEqual([]);
  });

  test.each([
    ['another tag', project(), 'v0.2.1', 'whose tag is v0.2.0'],
    ['a tag without the letter v', project(), '0.2.0', 'whose tag is v0.2.0'],
    ['a placeholder', project({ repository: 'OWNER/mayfly' }), 'v0.2.0', 'names no repository'],
    [
      'no entry in the changelog',
      project({ changes: '# Changelog\n\n## 0.1.0\n\n- The beginning.\n' }),
      'v0.2.0',
      'has no entry for 0.2.0',
    ],
    [
      'an empty section of the changelog',
      project({ changes: CHANGES.replace(/### Sending[^#]*/, '') }),
      'v0.2.0',
      'has no entry for 0.2.0',
    ],
    [
      'unreleased changes',
      project({ changes: CHANGES.replace('## Unreleased\n', '## Unreleased\n\n- Late.\n') }),
      'v0.2.0',
      'has unreleased changes',
    ],
    [
      'a lock file with another version',
      { ...project(), 'package-lock.json': JSON.stringify({ version: '0.1.0', packages: { '': {} } }) },
      'v0.2.0',
      'package-lock.json differs',
    ],
  ])('fails the check with %s', async (_, files, tag, sentence) => {
    expect(await breachesOf(files, tag)).toEqual([expect.stringContaining(sentence)]);
  });

  test('extracts only the changelog of its version', async () => {
    const notes = await withTree(project(), (base) => notesOf(base, '0.2.0'));
    expect(notes).toBe('### Sending\n\n- Something new.');
  });
});

const RELEASED = ['package.json', 'package-lock.json', 'README.md'];

async function checkout(folder) {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of RELEASED) cpSync(name, path.join(folder, name));
  for (const name of workspaces) {
    const filter = (file) => !/node_modules|\/(?:src|test)(?:\/|$)/.test(file);
    cpSync(name, path.join(folder, name), { recursive: true, filter });
  }
  writeFileSync(path.join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- Something new.\n');
  await run('git', ['init', '--quiet'], { cwd: folder });
  await run('git', ['add', '--all', '--force'], { cwd: folder });
}

test('the commands for a release raise the version, pack the packages and write the notes', {
  timeout: PACKING_TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-release-'));
  const tool = (name, ...args) => run(process.execPath, [path.resolve(`tools/${name}.js`), ...args], { cwd: folder });
  try {
    await checkout(folder);
    await tool('manifests', '--version', '99.1.0');
    await tool('manifests', '--repository', 'someone/mayfly');
    await tool('manifests', '--check');
    const { stdout } = await tool('release', '--tag', 'v99.1.0', '--into', 'packed');
    expect(stdout).toMatch(
      /^mayfly-client-99\.1\.0\.tgz: .*\nmayfly-mail-99\.1\.0\.tgz: .*\nmayfly-inbox-99\.1\.0\.tgz: .*\n$/,
    );
    expect(readdirSync(path.join(folder, 'packed')).sort()).toEqual([
      'mayfly-client-99.1.0.tgz',
      'mayfly-inbox-99.1.0.tgz',
      'mayfly-mail-99.1.0.tgz',
      'notes.md',
    ]);
    expect(readFileSync(path.join(folder, 'packed/notes.md'), 'utf8')).toBe('- Something new.\n');
    expect(readFileSync(path.join(folder, 'packages/client/package.json'), 'utf8')).not.toContain('OWNER');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('the published packages', { timeout: PACKING_TIMEOUT_MS }, () => {
  let folder;
  let client;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'mayfly-release-'));
    client = pack('packages/client', folder);
  }, PACKING_TIMEOUT_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('are the service, the client and mayfly-mail', () => {
    expect(publishedWorkspaces('.').sort()).toEqual(['packages/client', 'packages/mail', 'packages/server']);
  });

  test.each(['packages/client', 'packages/mail', 'packages/server'])(
    '%s contains what users need, and no development files',
    (workspace) => {
      expect(tarballBreaches(pack(workspace, folder))).toEqual([]);
    },
  );

  test.each([
    ['a file of the compiler', { 'dist/.tsbuildinfo': '{}' }, 'contains dist/.tsbuildinfo'],
    ['a source map', { 'dist/index.js.map': '{}' }, 'contains dist/index.js.map'],
    ['a source file', { 'src/index.ts': '' }, 'contains src/index.ts'],
    [
      'a reference to a source map',
      { 'dist/a.js': 'export {};\n//# sourceMappingURL=a.js.map' },
      'refers to a missing source map',
    ],
    [
      'a link into the repository',
      { 'README.md': 'See [the client](../docs/client.md#errors).' },
      'has a dead link to ../docs/client.md',
    ],
    ['no license', { LICENSE: undefined }, 'has no LICENSE'],
    ['a command without a shebang', { 'bin/mayfly.js': 'run();\n' }, 'without a shebang'],
    ['no keywords', { 'package.json': JSON.stringify({ bin: {} }) }, 'has no keywords'],
  ])('fail the check if they have %s', (_, planted, sentence) => {
    const files = new Map(client.files);
    for (const [name, text] of Object.entries(planted)) {
      if (text === undefined) files.delete(name);
      else files.set(name, text);
    }
    expect(tarballBreaches({ ...client, files })).toContainEqual(expect.stringContaining(sentence));
  });

  test('are refused with a tag of another version', async () => {
    const { stderr, code } = await run(process.execPath, [
      'tools/release.js',
      '--tag',
      'v99.0.0',
      '--into',
      folder,
    ]).catch((error) => error);
    expect(code).toBe(1);
    expect(stderr).toContain('The tag is v99.0.0');
  });
});
