// Bundles the service's compiled workspaces into packages/server/bundle: loading 500 files took half of the startup,
// and Node's ES module loader another tenth. Names are kept for stack traces.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, isUpToDate, PACKAGES } from './build.js';
import { checkBundled, isBundled, read } from './manifests.js';

const ENTRIES = {
  main: 'packages/server/dist/main.js',
  'start-mayfly': 'packages/server/dist/start-mayfly.js',
  'service-process': 'packages/server/dist/service-process.js',
  worker: 'packages/server/dist/worker.js',
  plugin: 'virtual:plugin',
};

/** Copyright notices for data that the bundle contains without its package, by the name of the data. */
const DATA = { 'caniemail, its data (MIT)': 'Copyright © Avi Goldman\nCopyright © Andrew Powell' };

const { dependencies } = read('packages/server', 'package.json');

/** Options of the bundle, to which other builds add. */
export const OPTIONS = {
  input: ENTRIES,
  external: (id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] in dependencies,
  // Puts the code that other chunks share with `mayfly-inbox/plugin` into a separate file.
  preserveEntrySignatures: 'strict',
  // Omits comments, which would be a third of the bytes read at a start. LICENSES.txt has the licences.
  output: {
    format: 'cjs',
    dynamicImportInCjs: false,
    comments: false,
    entryFileNames: '[name].js',
    // Names contain a hash, so that a running service still finds its files after another build.
    chunkFileNames: '[name]-[hash].js',
  },
};

const TARGET = 'packages/server/bundle';

/** The file that is written last, so that an interrupted build does not count as up to date. */
const ENTRY = path.join(TARGET, 'main.js');

const COMPILED = ['packages', 'plugins']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}/dist`))
  .filter((folder) => existsSync(folder) && folder !== 'packages/web/dist');

const SOURCES = [
  ...[...COMPILED, PACKAGES, 'packages/server/api/checks.cjs', 'packages/server/plugins.js'],
  ...['tools/build-service.js', 'tools/build.js', 'packages/server/package.json'],
];

if (!isUpToDate(ENTRY, SOURCES)) {
  const output = await bundle(OPTIONS, [withPluginDoor()]);
  await writeBundle(output);
  const kilobytes = Math.round(output.reduce((sum, { code }) => sum + code.length, 0) / 1024);
  console.log(`bundle: ${output.length} files, ${kilobytes} KB`);
}

/** Resolves `mayfly-inbox/plugin`, which our plugins import, to its source. */
export function withPluginDoor() {
  const door = 'mayfly-inbox/plugin';
  const id = path.resolve('packages/server/dist/plugin/plugin.js');
  return {
    name: 'with-plugin-door',
    enforce: 'pre',
    resolveId(name) {
      if (name === ENTRIES.plugin) return `\0${name}`;
      return name === door ? { id, moduleSideEffects: false } : null;
    },
    load: (name) => (name === `\0${ENTRIES.plugin}` ? `export * from '${door}';` : null),
  };
}

async function writeBundle(output) {
  checkBundled(output, dependencies);
  const written = new Set();
  const write = (name, content) => {
    written.add(name.split('/')[0]);
    mkdirSync(path.dirname(path.join(TARGET, name)), { recursive: true });
    writeFileSync(path.join(TARGET, name), content);
  };
  write('package.json', '{ "type": "commonjs" }\n');
  write('LICENSES.txt', licences(Object.keys(dependencies).filter((name) => isBundled(dependencies[name]))));
  for (const { fileName, code } of output.sort((one, other) => one.isEntry - other.isEntry)) write(fileName, code);
  // Imported only now, because it loads our plugins, which import the bundle.
  const { pluginTypes, serviceTypes } = await import('./types.js');
  write('start-mayfly.d.ts', serviceTypes());
  for (const [name, content] of pluginTypes()) write(name, content);
  // A concurrent build may remove the same files.
  const stale = readdirSync(TARGET).filter((name) => !written.has(name));
  for (const name of stale) rmSync(path.join(TARGET, name), { force: true });
  checkNeighbours(output);
}

/** Returns the licences of bundled packages, which must accompany their code. */
export function licences(names) {
  const mit = readFileSync('LICENSE', 'utf8').trim();
  const mitOf = (holders) => mit.replace(/^Copyright .*$/m, holders);
  const texts = names.map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license, author } = read(folder, 'package.json');
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:[.-]|$)/i.test(entry));
    if (file === undefined && license !== 'MIT') throw new Error(`${name} has no licence text.`);
    const text = file ? readFileSync(path.join(folder, file), 'utf8') : mitOf(`Copyright © ${author.name ?? author}`);
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  for (const [name, holders] of Object.entries(DATA)) texts.push(`${name}\n\n${mitOf(holders)}\n`);
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** Checks the paths of files that code finds relative to itself, because bundling moves the code. */
function checkNeighbours(output) {
  for (const { code } of output) {
    const named = code.matchAll(/new URL\((['"`])(\.[^'"`]*)\1, (?:import\.meta\.url|require\("url"\))/g);
    const missing = [...named].map(([, , target]) => target).find((one) => !existsSync(path.join(TARGET, one)));
    if (missing !== undefined) throw new Error(`The bundle refers to ${missing}, but its folder has no such file.`);
  }
}
