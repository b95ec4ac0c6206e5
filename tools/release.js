// Prepares a release: checks that the tag, the version, the changelog and the manifests agree, packs both packages, and
// checks that each contains everything a user needs and no build file.
//   node tools/release.js --tag v0.2.0 --into FOLDER also writes notes.md, the changelog of this version
//   node tools/release.js --into FOLDER only packs and checks, to try a commit
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { read, repositoryOf, staleManifests } from './manifests.js';
import { optionsOf, refuse } from './options.js';

const NOWHERE = 'OWNER/mayfly';
const NEEDED_FILES = ['README.md', 'LICENSE', 'package.json'];
const NEEDED_FIELDS = ['description', 'license', 'keywords', 'repository', 'homepage', 'bugs', 'engines', 'files'];

/** Files that a package must not contain. */
const WORKSHOP = /\.tsbuildinfo$|\.map$|(?:^|\/)(?:src|test)\/|(?:^|\/)tsconfig/;
const MAP_COMMENT = /^\/\/# sourceMappingURL=(?!data:)/m;

/** A relative link, which is dead in a published README. */
const DEAD_LINK = /\]\((?!https?:|mailto:|#)([^()\s]+)\)/g;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const usage = 'Usage: node tools/release.js --into FOLDER [--tag v0.2.0]';
  const values = optionsOf(usage, { tag: { type: 'string' }, into: { type: 'string' } });
  if (values.into === undefined) refuse('Give the folder for the tarballs with --into');
  process.exitCode = release(values);
}

function release({ tag, into }) {
  const breaches = tag === undefined ? [] : releaseBreaches('.', tag);
  mkdirSync(into, { recursive: true });
  const packed = breaches.length > 0 ? [] : publishedWorkspaces('.').map((folder) => pack(folder, into));
  breaches.push(...packed.flatMap(tarballBreaches));
  for (const breach of breaches) console.error(breach);
  if (breaches.length > 0) return 1;
  for (const { tarball, files, unpackedSize } of packed) {
    console.log(`${tarball}: ${files.size} files, ${Math.round(unpackedSize / 1024)} KB unpacked`);
  }
  if (tag !== undefined) writeFileSync(path.join(into, 'notes.md'), `${notesOf('.', tag.replace(/^v/, ''))}\n`);
  return 0;
}

export function publishedWorkspaces(base) {
  const { workspaces } = read(base, 'package.json');
  return workspaces.filter((folder) => !read(base, `${folder}/package.json`).private);
}

export function releaseBreaches(base, tag) {
  const root = read(base, 'package.json');
  const breaches = [];
  if (tag !== `v${root.version}`) {
    breaches.push(`The tag is ${tag}, but package.json has version ${root.version}, whose tag is v${root.version}.`);
  }
  for (const file of staleManifests(base).keys())
    breaches.push(`${file} differs from package.json: run "npm run manifests".`);
  if (repositoryOf(root) === NOWHERE) {
    breaches.push(`package.json names no repository: run "node tools/manifests.js --repository owner/name".`);
  }
  if (notesOf(base, root.version) === '')
    breaches.push(`CHANGELOG.md has no entry for ${root.version}: run "npm run raise".`);
  if (notesOf(base, 'Unreleased') !== '') {
    breaches.push(`CHANGELOG.md has unreleased changes: move them to the entry for ${root.version}.`);
  }
  return breaches;
}

export function notesOf(base, version) {
  const sections = readFileSync(path.join(base, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  const section = sections.find((text) => text.split(/\s/, 2)[1] === version) ?? '';
  return section.replace(/^.*\n?/, '').trim();
}

/** Packs a workspace as npm publishes it. */
export function pack(folder, into) {
  const destination = path.resolve(into);
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // npm 12 prints an object with package names as keys, and earlier versions print a list.
  const [{ filename, files, unpackedSize }] = Object.values(JSON.parse(output));
  const texts = files.map(({ path: name }) => [name, readFileSync(path.join(folder, name), 'utf8')]);
  return { tarball: filename, unpackedSize, files: new Map(texts) };
}

/** Returns a sentence for each file or field that a tarball lacks or should not have. */
export function tarballBreaches({ tarball, files }) {
  const manifest = JSON.parse(files.get('package.json') ?? '{}');
  const breaches = [
    ...NEEDED_FILES.filter((name) => !files.has(name)).map((name) => `has no ${name}`),
    ...NEEDED_FIELDS.filter((name) => manifest[name] === undefined).map((name) => `has no ${name} in its package.json`),
    ...Object.values(manifest.bin ?? {})
      .map((name) => path.posix.normalize(name))
      .filter((name) => !/^#!\/usr\/bin\/env node\n/.test(files.get(name) ?? ''))
      .map((name) => `has a command without a shebang, ${name}`),
    ...[...files.keys()].filter((name) => WORKSHOP.test(name)).map((name) => `contains ${name}`),
  ];
  for (const [name, text] of files) {
    if (/\.[cm]?[jt]s$/.test(name) && MAP_COMMENT.test(text))
      breaches.push(`refers to a missing source map in ${name}`);
    if (!name.endsWith('.md')) continue;
    for (const [, target] of text.matchAll(DEAD_LINK)) breaches.push(`has a dead link to ${target} in ${name}`);
  }
  return breaches.map((what) => `${tarball} ${what}.`);
}
