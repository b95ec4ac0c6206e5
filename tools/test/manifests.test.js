import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBundled, moveTo, nameVersion, raiseVersion, repositoryOf, siteOf, staleManifests } from '../manifests.js';
import { needs } from '../needs.js';
import { withTree } from './tree.js';

const CHANGES = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- The beginning.\n';

const WHERE = {
  repository: { type: 'git', url: 'git+https://github.com/OWNER/mayfly.git' },
  bugs: { url: 'https://github.com/OWNER/mayfly/issues' },
};

/** Returns valid package.json files of a root and two workspaces, one of which is published. */
function tree(changes = {}) {
  const shared = { version: '0.1.0', license: 'MIT' };
  const root = {
    name: 'root',
    ...shared,
    ...WHERE,
    engines: { node: '>=20.19' },
    workspaces: ['packages/client', 'packages/web'],
  };
  const client = {
    name: 'mayfly-client',
    ...shared,
    repository: { ...WHERE.repository, directory: 'packages/client' },
    homepage: 'https://github.com/OWNER/mayfly/tree/main/packages/client#readme',
    bugs: WHERE.bugs,
    engines: root.engines,
    dependencies: { other: '^3.0.0' },
  };
  const needsClient = { devDependencies: { 'mayfly-client': '*', other: '^3.0.0' } };
  const web = { name: 'mayfly-web', private: true, ...shared, ...needsClient };
  const packages = {
    '': { name: 'root', version: '0.1.0' },
    'packages/client': { name: 'mayfly-client', version: '0.1.0', dependencies: client.dependencies },
    'packages/web': { name: 'mayfly-web', version: '0.1.0', ...needsClient },
  };
  const files = { root, client, web, lock: { name: 'root', version: '0.1.0', packages }, ...changes };
  return {
    'package.json': JSON.stringify(files.root),
    'packages/client/package.json': JSON.stringify(files.client),
    'packages/web/package.json': JSON.stringify(files.web),
    'package-lock.json': JSON.stringify(files.lock),
    'CHANGELOG.md': CHANGES,
  };
}

const parsed = (files, name) => JSON.parse(files[name]);

describe('the common fields of all packages', () => {
  test('are the same in every manifest', async () => {
    expect(await withTree(tree(), (base) => [...staleManifests(base).keys()])).toEqual([]);
  });

  test.each([
    ['a version', 'client', { version: '0.2.0' }],
    ['a licence', 'web', { license: 'ISC' }],
    ['the repository', 'client', { repository: WHERE.repository }],
    ['the version of Node', 'client', { engines: { node: '>=18' } }],
    ['the lock file', 'lock', { version: '0.0.9' }],
  ])('finds and fixes a difference in %s', async (_, part, change) => {
    const file = part === 'lock' ? 'package-lock.json' : `packages/${part}/package.json`;
    const changes = { [part]: { ...parsed(tree(), file), ...change } };
    const stale = await withTree(tree(changes), (base) => staleManifests(base));
    expect([...stale.keys()]).toContain(file);
    expect(JSON.parse(stale.get(file))).toEqual(parsed(tree(), file));
  });
});

describe('raiseVersion', () => {
  const raised = (version) =>
    withTree(tree(), (base) => {
      raiseVersion(base, version, '2026-02-03');
      const changes = readFileSync(path.join(base, 'CHANGELOG.md'), 'utf8');
      return { changes, stale: staleManifests(base) };
    });

  test('raises the version everywhere, and lists the unreleased changes under the new version', async () => {
    const { changes, stale } = await raised('0.2.0');
    expect(changes).toContain('## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- Something new.\n\n## 0.1.0');
    expect(JSON.parse(stale.get('packages/web/package.json')).version).toBe('0.2.0');
    const { version, packages } = JSON.parse(stale.get('package-lock.json'));
    expect([version, packages[''].version, packages['packages/client'].version]).toEqual(['0.2.0', '0.2.0', '0.2.0']);
  });

  test.each([
    ['0.1.0', 'not later'],
    ['0.0.99', 'not later'],
    ['0.2', 'is not a version'],
    ['v0.2.0', 'is not a version'],
    ['0.2.0-beta', 'is not a version'],
  ])('rejects %s', async (version, sentence) => {
    await expect(raised(version)).rejects.toThrow(sentence);
  });

  test('rejects a version without an entry in the changelog', async () => {
    const files = { ...tree(), 'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- The beginning.\n' };
    await expect(withTree(files, (base) => raiseVersion(base, '0.2.0', '2026-02-03'))).rejects.toThrow('has nothing');
  });
});

describe('moveTo', () => {
  const files = {
    ...tree(),
    'docs/ci.md': 'image: ghcr.io/OWNER/mayfly:0.1\nuses: OWNER/mayfly/action@v0\n',
    'docs/logo.png': 'OWNER/mayfly',
    'tools/release.js': 'OWNER/mayfly',
    'packages/cli/test/a.test.ts': 'OWNER/mayfly',
    Dockerfile: 'LABEL source=https://github.com/OWNER/mayfly\n',
    'deploy/systemd/mayfly.service': 'Documentation=https://github.com/OWNER/mayfly\n',
  };
  const moved = (repository) =>
    withTree(files, (base) => {
      moveTo(base, repository, Object.keys(files));
      return { stale: staleManifests(base), read: read(base) };
    });
  const read = (base) =>
    Object.fromEntries(Object.keys(files).map((file) => [file, readFileSync(path.join(base, file), 'utf8')]));

  test('writes the new repository into each manifest and document', async () => {
    const { stale, read: texts } = await moved('Some-One/mayfly.js');
    expect([...stale.keys()]).toEqual([]);
    expect(JSON.parse(texts['packages/client/package.json']).bugs.url).toBe(
      'https://github.com/Some-One/mayfly.js/issues',
    );
    expect(texts['docs/ci.md']).toBe('image: ghcr.io/some-one/mayfly.js:0.1\nuses: Some-One/mayfly.js/action@v0\n');
    expect(texts.Dockerfile).toBe('LABEL source=https://github.com/Some-One/mayfly.js\n');
    expect(texts['deploy/systemd/mayfly.service']).toBe('Documentation=https://github.com/Some-One/mayfly.js\n');
    for (const file of ['docs/logo.png', 'tools/release.js', 'packages/cli/test/a.test.ts']) {
      expect(texts[file]).toBe('OWNER/mayfly');
    }
  });

  test.each(['packages/protocol/src/docs.ts', 'clients/python/src/mayfly_client/_docs.py'])(
    'finds the site of the documentation in %s',
    (file) => {
      const site = siteOf(repositoryOf(JSON.parse(readFileSync('package.json', 'utf8'))));
      expect(readFileSync(file, 'utf8')).toMatch(`DOCS_URL = ${file.endsWith('.py') ? `"${site}"` : `'${site}'`}`);
    },
  );

  test('replaces the placeholder for the owner in the whole project', needs('git'), async () => {
    const names = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
    // Excludes tools and tests, in which OWNER is not to be replaced.
    const spoken = names.filter((name) => existsSync(name) && !/^tools\/|(?:^|\/)test\//.test(name));
    const naming = spoken.filter((name) => /\bOWNER\b/.test(readFileSync(name, 'latin1')));
    const isNowhere = readFileSync('package.json', 'utf8').includes('OWNER/mayfly');
    expect(naming.length > 10).toBe(isNowhere);
    const project = Object.fromEntries(naming.map((name) => [name, readFileSync(name, 'utf8')]));
    const left = await withTree(project, (base) => {
      moveTo(base, 'some-one/mayfly', naming);
      const texts = naming.map((name) => [name, readFileSync(path.join(base, name), 'utf8')]);
      return texts.filter(([, text]) => /\bOWNER\b|stands for the publisher of/.test(text)).map(([name]) => name);
    });
    expect(left).toEqual([]);
  });

  test('removes the sentence or comment line that explains the placeholder OWNER', async () => {
    const said = {
      'docs/ci.md': 'Ports are open. `OWNER` stands for the publisher of Mayfly.\nuses: OWNER/mayfly\n',
      'README.md': 'Copy it. (`OWNER` stands for the publisher of Mayfly.) More.\n',
      'compose.yaml': 'a:\n  # OWNER stands for the publisher of Mayfly.\n  image: ghcr.io/OWNER/mayfly\n',
    };
    const texts = await withTree({ ...tree(), ...said }, (base) => {
      moveTo(base, 'some-one/mayfly', ['package.json', ...Object.keys(said)]);
      return Object.keys(said).map((file) => readFileSync(path.join(base, file), 'utf8'));
    });
    expect(texts).toEqual([
      'Ports are open.\nuses: some-one/mayfly\n',
      'Copy it. More.\n',
      'a:\n  image: ghcr.io/some-one/mayfly\n',
    ]);
  });

  test.each(['mayfly', 'https://github.com/a/b', 'a/b/c', '-a/b'])('rejects %s', async (repository) => {
    await expect(moved(repository)).rejects.toThrow('is not a repository');
  });
});

test('nameVersion changes the version in references to the action and the image, and no other text', async () => {
  const text = (version, minor) =>
    `uses: OWNER/mayfly/action@v${version}, OWNER/mayfly/action/collect@v${version}, ghcr.io/OWNER/mayfly:${minor} at 0.1.0`;
  const files = { ...tree(), 'docs/ci.md': text('0.1.0', '0.1'), 'tools/own.js': text('0.1.0', '0.1') };
  const named = await withTree(files, (base) => {
    nameVersion(base, { before: '0.1.0', after: '0.2.1' }, ['docs/ci.md', 'tools/own.js', 'package.json']);
    return ['docs/ci.md', 'tools/own.js', 'package.json'].map((name) => readFileSync(path.join(base, name), 'utf8'));
  });
  expect(named).toEqual([text('0.2.1', '0.2'), files['tools/own.js'], files['package.json']]);
});

describe('checkBundled', () => {
  const LOG = 'node_modules/@web/log';
  const files = { [`${LOG}/package.json`]: '{ "name": "@web/log", "version": "1.2.3" }' };
  const checked = (dependencies) =>
    withTree(files, (base) =>
      checkBundled([{ moduleIds: [`${base}/${LOG}/index.js`, '/src/a.js'] }, {}], dependencies),
    );

  test('accepts a bundled package that is listed with its version', async () => {
    await expect(checked({ '@web/log': '1.2.3', web: '^5.0.0' })).resolves.toBeUndefined();
  });

  test.each([{}, { '@web/log': '1.2.2' }, { '@web/log': '^1.2.3' }])('rejects %j', async (dependencies) => {
    await expect(checked(dependencies)).rejects.toThrow('The build bundles @web/log: list "@web/log": "1.2.3" in');
  });
});
