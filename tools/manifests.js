// Copies version, license, engines and repository from the root's package.json to the workspaces. --check writes
// nothing and exits with 1 if a file differs. "--version 1.2.3" raises the version everywhere, also in the changelog and
// in examples of the action and the image. "--repository owner/name" replaces the repository everywhere.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { trackedFiles } from './needs.js';
import { optionsOf, refuse } from './options.js';

const LOCK = 'package-lock.json';
const PYPROJECT = 'clients/python/pyproject.toml';
const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## Unreleased\n';

/** A version. It has no pre-release part, which would need a separate npm tag. */
const VERSION = /^(?:0|[1-9]\d{0,5})(?:\.(?:0|[1-9]\d{0,5})){2}$/;
const REPOSITORY = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/[\w.-]{1,100}$/;

/** Matches the sentence that explains the placeholder OWNER, or the whole line if the sentence is a `#` comment. */
const PLACEHOLDER =
  /^[ \t]*# OWNER stands for the publisher of Mayfly\.\n| ?\(`OWNER` stands for the publisher of Mayfly\.\)| ?`OWNER` stands for the publisher of Mayfly\./gm;

/** Files that may name the repository. Tools and tests are excluded, because their OWNER must not be replaced. */
const TEXTS =
  /^(?!tools\/|(?:.*\/)?test\/).*(?:\.(?:md|json|ya?ml|ts|js|service|py|java|go|cs|rb)|(?:^|\/)(?:Dockerfile|control))$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main('.');
  } catch (error) {
    refuse(`manifests: ${error.message}`);
  }
}

function main(base) {
  const values = optionsOf('Usage: node tools/manifests.js [--check] [--version 1.2.3] [--repository owner/name]', {
    ...{ check: { type: 'boolean' }, version: { type: 'string' }, repository: { type: 'string' } },
  });
  if (values.version !== undefined) {
    const { version: before } = read(base, 'package.json');
    raiseVersion(base, values.version, new Date().toISOString().slice(0, 10));
    nameVersion(base, { before, after: values.version }, trackedFiles('manifests'));
  }
  if (values.repository !== undefined) moveTo(base, values.repository, trackedFiles('manifests'));
  const stale = staleManifests(base);
  for (const [file, text] of stale) {
    if (values.check)
      console.error(`${file} differs from package.json. Run "npm run manifests" and commit what it writes.`);
    else writeFileSync(path.join(base, file), text);
  }
  console.log(
    `manifests: version ${read(base, 'package.json').version}, ${stale.size} differ${values.check ? '' : 'ed'}`,
  );
  process.exitCode = values.check && stale.size > 0 ? 1 : 0;
}

/** Returns the files whose copied fields differ from the root's package.json, each with its expected text. */
export function staleManifests(base) {
  const root = read(base, 'package.json');
  const stale = new Map();
  const want = (file, written, wanted) => written !== wanted && stale.set(file, wanted);
  const lock = read(base, LOCK);
  const packages = { ...lock.packages, '': { ...lock.packages[''], version: root.version } };
  for (const folder of root.workspaces) {
    const file = `${folder}/package.json`;
    const written = read(base, file);
    want(file, jsonOf(written), jsonOf({ ...written, ...sharedWith(written, folder, root) }));
    packages[folder] = { ...packages[folder], version: root.version };
  }
  want(LOCK, jsonOf(lock), jsonOf({ ...lock, version: root.version, packages }));
  if (existsSync(path.join(base, PYPROJECT))) {
    const written = readFileSync(path.join(base, PYPROJECT), 'utf8');
    want(PYPROJECT, written, written.replace(/^version = ".*"$/m, `version = "${root.version}"`));
  }
  return stale;
}

function sharedWith(manifest, folder, { version, license, repository, bugs, engines }) {
  if (manifest.private) return { version, license };
  const homepage = `https://github.com/${repositoryOf({ repository })}/tree/main/${folder}#readme`;
  return { version, license, repository: { ...repository, directory: folder }, homepage, bugs, engines };
}

function jsonOf(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Sets a later version in the root's package.json, and dates the unreleased changes in the changelog. */
export function raiseVersion(base, version, day) {
  const root = read(base, 'package.json');
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version: write three numbers, such as 0.2.0.`);
  if (version.localeCompare(root.version, 'en', { numeric: true }) <= 0)
    throw new Error(`${version} is not later than ${root.version}.`);
  const changes = readFileSync(path.join(base, CHANGELOG), 'utf8');
  const [before, after] = changes.split(UNRELEASED);
  if (after === undefined || /^\s*(?:## |$)/.test(after)) {
    throw new Error(`${CHANGELOG} has nothing under "${UNRELEASED.trim()}": describe ${version} for users.`);
  }
  writeFileSync(path.join(base, CHANGELOG), `${before}${UNRELEASED}\n## ${version} (${day})\n${after}`);
  writeFileSync(path.join(base, 'package.json'), jsonOf({ ...root, version }));
}

/** Replaces the version of the action and the image in these files. */
export function nameVersion(base, { before, after }, files) {
  const repository = repositoryOf(read(base, 'package.json'));
  const minor = (version) => version.split('.').slice(0, 2).join('.');
  const named = [
    ...['action', 'action/collect'].map((action) => [`${repository}/${action}@v`, before, after]),
    ...[repository, repository.toLowerCase()].map((name) => [`ghcr.io/${name}:`, minor(before), minor(after)]),
  ];
  rewrite(base, files, (text) =>
    named.reduce((so, [front, from, to]) => so.replaceAll(front + from, front + to), text),
  );
}

/** Replaces the repository's name and addresses in these files, and removes the explanation of OWNER. */
export function moveTo(base, repository, files) {
  if (!REPOSITORY.test(repository)) throw new Error(`"${repository}" is not a repository: write it as owner/name.`);
  const before = repositoryOf(read(base, 'package.json'));
  rewrite(base, files, (text) =>
    text
      .replace(PLACEHOLDER, '')
      // Image registries require lower case.
      .replaceAll(`ghcr.io/${before}`, `ghcr.io/${repository.toLowerCase()}`)
      .replaceAll(siteOf(before), siteOf(repository))
      .replaceAll(before, repository),
  );
}

function rewrite(base, files, change) {
  for (const file of files.filter((name) => TEXTS.test(name))) {
    const text = readFileSync(path.join(base, file), 'utf8');
    if (change(text) !== text) writeFileSync(path.join(base, file), change(text));
  }
}

/** Whether our build bundles a package. Of such a package, package.json lists an exact version. */
export const isBundled = (version) => /^\d/.test(version);

/** Returns the folders of the packages that a bundle contains. */
export function bundledFolders(output) {
  const ids = output.flatMap(({ moduleIds = [] }) => moduleIds);
  return [...new Set(ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []))];
}

/** Throws if a bundle contains a package that is not listed with its version, because `npm audit` would miss it. */
export function checkBundled(output, dependencies) {
  for (const folder of bundledFolders(output)) {
    const { name, version } = read(folder, 'package.json');
    if (dependencies[name] === version) continue;
    const entry = `"${name}": "${version}"`;
    throw new Error(`The build bundles ${name}: list ${entry} in "dependencies" of packages/server/package.json.`);
  }
}

/** Returns the URL at which GitHub Pages serves a repository's documentation. */
export function siteOf(repository) {
  const [owner, name] = repository.split('/');
  return `https://${owner}.github.io/${name}/`;
}

export function repositoryOf({ repository }) {
  return /github\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(repository.url)?.[1];
}

export function read(base, file) {
  return JSON.parse(readFileSync(path.join(base, file), 'utf8'));
}
