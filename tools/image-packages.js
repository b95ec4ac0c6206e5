// Narrows the lock file to the packages of the service, in the folder where the Dockerfile installs these alone.
// Without a lock, npm would take the newest versions of what they need.
import { readFileSync, writeFileSync } from 'node:fs';

const { name, version, type, dependencies } = read('package.json');
const lock = read('package-lock.json');
const packages = { '': { name, version, type, dependencies } };
const open = Object.keys(dependencies);
for (const one of open) {
  const key = keyOf(one);
  if (packages[key] !== undefined) continue;
  // A version that only the service or this package has is not the one at the top.
  if (
    Object.keys(lock.packages).some(
      (other) => other === `packages/server/${key}` || other.startsWith(`${key}/node_modules/`),
    )
  )
    throw new Error(`The lock file has versions for server or ${one} alone, which this does not know.`);
  const locked = lock.packages[key];
  // The lock file has optional packages of some systems only, and npm would miss the others.
  const optional = Object.entries(locked.optionalDependencies ?? {}).filter(([other]) => keyOf(other) in lock.packages);
  packages[key] = { ...locked, optionalDependencies: Object.fromEntries(optional) };
  open.push(...Object.keys({ ...locked.dependencies, ...packages[key].optionalDependencies }));
}
write('package.json', packages['']);
write('package-lock.json', { name, version, lockfileVersion: lock.lockfileVersion, packages });

function keyOf(one) {
  return `node_modules/${one}`;
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function write(file, value) {
  writeFileSync(file, JSON.stringify(value));
}
