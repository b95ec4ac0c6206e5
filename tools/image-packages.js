// Reduces the lock file to the packages of one workspace, for the image and the SBOM.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const locked = lockedPackages(read('package-lock.json'), 'packages/server', read('package.json'));
  writeFileSync('package.json', JSON.stringify(locked.packages['']));
  writeFileSync('package-lock.json', JSON.stringify(locked));
}

/** Returns a lock file whose root is one workspace, with only the packages that this workspace needs. */
export function lockedPackages(lock, folder, { name, version, license, type, dependencies }) {
  const packages = { '': { name, version, license, type, dependencies } };
  const open = Object.keys(dependencies).map((one) => [folder, one]);
  for (const [from, one] of open) {
    const key = keyOf(lock, from, one);
    if (key === undefined) throw new Error(`The lock file lacks ${one}, which ${from} needs: run "npm install".`);
    if (key.startsWith(`${folder}/`))
      throw new Error(
        `The lock file has a separate version of ${one} for ${folder}, which this tool does not support.`,
      );
    if (packages[key] !== undefined) continue;
    const locked = lock.packages[key];
    // Drops optional packages that the lock file lacks: it lists only those of some systems.
    const optional = Object.entries(locked.optionalDependencies ?? {}).filter(([other]) => keyOf(lock, key, other));
    packages[key] = { ...locked, optionalDependencies: Object.fromEntries(optional) };
    open.push(...Object.keys({ ...locked.dependencies, ...packages[key].optionalDependencies }).map((o) => [key, o]));
  }
  return { name, version, lockfileVersion: lock.lockfileVersion, packages };
}

/** Returns the key of the package that Node resolves `name` to: in the folder `from`, or in one above it. */
function keyOf({ packages }, from, name) {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)[^/]*$/, '')) {
    const key = path.posix.join(folder, 'node_modules', name);
    if (key in packages) return key;
    if (folder === '') return undefined;
  }
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
