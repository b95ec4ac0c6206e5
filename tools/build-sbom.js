// Writes the SBOM (CycloneDX) of each published package that has dependencies, with their locked versions, and marks
// bundled packages.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isUpToDate } from './build.js';
import { isBundled, read } from './manifests.js';

const LOCK = 'package-lock.json';
const { packages, ...lock } = read('.', LOCK);
const locked = Object.entries(packages).filter(([key, { link }]) => key.startsWith('node_modules/') && !link);

for (const workspace of ['packages/mail', 'packages/server']) {
  const target = path.join(workspace, 'sbom.cdx.json');
  if (isUpToDate(target, [LOCK, `${workspace}/package.json`, 'tools/build-sbom.js'])) continue;
  writeFileSync(target, `${JSON.stringify(sbomOf(read(workspace, 'package.json')), null, 2)}\n`);
}

/** Returns npm's SBOM without time and serial number, so that builds are reproducible. */
function sbomOf({ name, version, license, type, dependencies }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-sbom-'));
  const npm = (...args) =>
    execFileSync('npm', [...args, '--package-lock-only', '--offline'], { cwd: folder, encoding: 'utf8' });
  try {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, version, license, type, dependencies }));
    writeFileSync(path.join(folder, LOCK), JSON.stringify({ ...lock, packages: Object.fromEntries(locked) }));
    // Reduces the lock file to what this package needs.
    npm('prune', '--ignore-scripts');
    const {
      serialNumber: _,
      metadata: { timestamp: __, component, ...metadata },
      ...sbom
    } = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx'));
    for (const { name, properties } of sbom.components) {
      if (isBundled(dependencies[name])) properties.push({ name: 'cdx:npm:package:bundled', value: 'true' });
    }
    // Corrects the component's name, which npm takes from the folder.
    return { ...sbom, metadata: { ...metadata, component: { ...component, name } } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
