// Writes an SBOM (CycloneDX) for each published package with dependencies. It lists the locked versions of the
// dependencies, and marks those that are bundled.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isUpToDate } from './build.js';
import { lockedPackages } from './image-packages.js';
import { read } from './manifests.js';

const LOCK = 'package-lock.json';
const LICENCES = 'packages/server/bundle/LICENSES.txt';
const FORMAT = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline'];

for (const workspace of ['packages/mail', 'packages/server']) {
  const target = path.join(workspace, 'sbom.cdx.json');
  const manifest = path.join(workspace, 'package.json');
  const bundled = workspace === 'packages/server' ? [LICENCES] : [];
  if (isUpToDate(target, [LOCK, manifest, 'tools/build-sbom.js', ...bundled])) continue;
  const held = new Set(bundled.flatMap((file) => readFileSync(file, 'utf8').match(/^\S+ \d+\.\d+\.\d+(?= \()/gm)));
  const sbom = sbomOf(lockedPackages(read('.', LOCK), workspace, read(workspace, 'package.json')), held);
  writeFileSync(target, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** Returns npm's SBOM without time and serial number, so that builds are reproducible. */
function sbomOf(lock, held) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-sbom-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(lock.packages['']));
    writeFileSync(path.join(folder, LOCK), JSON.stringify(lock));
    const {
      serialNumber: _,
      metadata: { timestamp: __, component, ...metadata },
      ...sbom
    } = JSON.parse(execFileSync('npm', FORMAT, { cwd: folder, encoding: 'utf8' }));
    for (const { name, version, properties } of sbom.components) {
      if (held.has(`${name} ${version}`)) properties.push({ name: 'cdx:npm:package:bundled', value: 'true' });
    }
    // Corrects the component's name, which npm takes from the folder.
    return { ...sbom, metadata: { ...metadata, component: { ...component, name: lock.name } } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
