// Checks that packages whose internals we use are pinned to one version, in the manifest and in the lock file: any
// other version may change them. Exits with 1 and a line for each breach.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages with what of their internals is used, where, and how that can be told. */
const PINNED = [
  {
    name: 'lmdb',
    reason:
      'the store relies on how it batches, on the promise of a failed commit, and on what its data file begins with',
    folder: 'packages/server/src/store/lmdb',
    sign: /\bcommitError\b/,
  },
];

const MANIFEST = 'packages/server/package.json';
const LOCK = 'package-lock.json';
const EXACT = /^\d+\.\d+\.\d+$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const breaches = checkPins('.');
  for (const breach of breaches) console.error(breach);
  console.log(`pins: ${PINNED.length} packages, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Checks the manifest and the lock file in a folder. Returns a sentence for each breach. */
export function checkPins(base, pinned = PINNED) {
  const wanted = readJson(base, MANIFEST).dependencies;
  const { packages } = readJson(base, LOCK);
  return pinned.flatMap(({ name, reason, folder, sign }) => {
    if (!isUsed(base, folder, sign))
      return [`${name} is pinned in tools/check-pins.js, but ${folder} has no ${sign}: unpin it`];
    const version = wanted[name] ?? '';
    if (!EXACT.test(version))
      return [`${MANIFEST}: ${name} is "${version}", but it needs one exact version: ${reason}`];
    const locked = [packages['packages/server']?.dependencies?.[name], packages[`node_modules/${name}`]?.version];
    return locked.every((one) => one === version)
      ? []
      : [`${LOCK}: ${name} is ${locked.join(' and ')}, but ${MANIFEST} says ${version}`];
  });
}

function isUsed(base, folder, sign) {
  const files = readdirSync(path.join(base, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.some((name) => sign.test(readFileSync(path.join(base, folder, name), 'utf8')));
}

function readJson(base, name) {
  return JSON.parse(readFileSync(path.join(base, name), 'utf8'));
}
