// Checks how the files of the server, the client and the page import each other: the direction between the parts, no
// cycles, and one file for each engine. CONTRIBUTING.md says why. Exits with 1 and a line for each breach.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Which parts a part may import. A part is a folder of server/src, or `base` for the files beside them. */
const MAY_IMPORT = {
  main: ['commands', 'settings', 'base'],
  commands: ['service', 'store', 'mail', 'settings', 'base'],
  service: ['smtp', 'http', 'inbox', 'store', 'settings', 'base'],
  smtp: ['inbox', 'limits', 'base'],
  http: ['inbox', 'limits', 'settings', 'base'],
  inbox: ['mail', 'store', 'base'],
  mail: [],
  store: [],
  limits: [],
  settings: ['limits', 'store', 'base'],
  base: [],
  client: [],
  web: [],
};

/** Packages that may stand in more than one file, and why. */
const SEVERAL_FILES = {
  'mayfly-client': 'it owns the wire types',
  piscina: 'its two sides: the pool and what runs in a thread',
  preact: 'it is what every part of the page is written in',
  'preact/hooks': 'the same',
};

const ROOTS = ['client/src', 'server/src', 'web/src'];
const IMPORT = /^(?:import|export)\b[^'";]*?(?:from\s*)?'([^']+)';/gms;

const files = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(root, name)),
);
const known = new Set(files);
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const breaches = [...directionBreaches(), ...engineBreaches(), ...cycleBreaches()];
for (const breach of breaches) console.error(breach);
console.log(`imports: ${files.length} files, ${breaches.length} breaches`);
process.exitCode = breaches.length === 0 ? 0 : 1;

/** What a file imports: paths of files of ours, and names of packages. */
function importsOf(file) {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name]) => name);
  return {
    ours: found
      .filter((name) => name.startsWith('.') && name.endsWith('.js'))
      .map((name) => sourceOf(path.join(path.dirname(file), name))),
    packages: found.filter((name) => !name.startsWith('.') && !name.startsWith('node:')),
  };
}

/** The source of a module that is named by what it is compiled to. */
function sourceOf(module) {
  const source = module.replace(/\.js$/, '.tsx');
  return known.has(source) ? source : module.replace(/\.js$/, '.ts');
}

function partOf(file) {
  const [workspace] = file.split(path.sep);
  if (workspace !== 'server') return workspace;
  const [first, ...rest] = path.relative('server/src', file).split(path.sep);
  if (rest.length > 0) return first;
  return first === 'main.ts' || first === 'service.ts' ? first.replace('.ts', '') : 'base';
}

function directionBreaches() {
  return [...imports].flatMap(([file, { ours }]) => {
    const part = partOf(file);
    return ours
      .filter((other) => partOf(other) !== part && !MAY_IMPORT[part]?.includes(partOf(other)))
      .map((other) => `${file}: ${part} must not import ${partOf(other)} (${other})`);
  });
}

function engineBreaches() {
  const importers = new Map();
  for (const [file, { packages }] of imports) {
    for (const name of packages) importers.set(name, [...(importers.get(name) ?? []), file]);
  }
  return [...importers]
    .filter(([name, users]) => users.length > 1 && !Object.hasOwn(SEVERAL_FILES, name))
    .map(([name, users]) => `${name} is imported by several files: ${users.join(', ')}`);
}

function cycleBreaches() {
  const done = new Set();
  const breaches = [];
  const visit = (file, trail) => {
    if (trail.includes(file)) breaches.push(`a cycle: ${[...trail.slice(trail.indexOf(file)), file].join(' → ')}`);
    if (done.has(file) || trail.includes(file)) return;
    for (const other of imports.get(file)?.ours ?? []) visit(other, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return breaches;
}
