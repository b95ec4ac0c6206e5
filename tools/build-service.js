// Joins the compiled workspaces of the service into a few files in packages/server/bundle: to find, read and link five
// hundred files one by one took half of a start, and Node's ES module loader another tenth. Names stay as they are, so
// that a stack trace can be read.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { isUpToDate, PACKAGES } from './build.js';
import { bundle } from './join-modules.js';
import { dependencyBreaches, packageAt, packageOf, packagesIn } from './manifests.js';

const ENTRIES = {
  main: 'packages/server/dist/main.js',
  'start-mayfly': 'packages/server/dist/start-mayfly.js',
  'service-process': 'packages/server/dist/service-process.js',
  worker: 'packages/server/dist/worker.js',
  plugin: 'virtual:plugin',
};

/** Whose data the service holds without the package that they come from, and what says so. */
const DATA = { 'caniemail, its data (MIT)': 'Copyright © Avi Goldman\nCopyright © Andrew Powell' };

const { dependencies } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'));

const OPTIONS = {
  input: ENTRIES,
  external: (id) => packageOf(id) in dependencies,
  // What others share with the door of plugins is in a separate file.
  preserveEntrySignatures: 'strict',
  // Comments are a third of what a start reads; the licences that some hold are in LICENSES.txt.
  output: {
    format: 'cjs',
    // Modules that are loaded later are loaded with require(), too.
    dynamicImportInCjs: false,
    comments: false,
    entryFileNames: '[name].js',
    // A service that runs while another build is made loads its own files.
    chunkFileNames: '[name]-[hash].js',
  },
};

const PAGE = ['preact'];
const TARGET = 'packages/server/bundle';

/** Written last: a service may start meanwhile, and a build that was cut short is not complete. */
const ENTRY = path.join(TARGET, 'main.js');

/** The compiled workspaces but the page's, which the bundle does not hold. */
const COMPILED = ['packages', 'plugins']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}/dist`))
  .filter((folder) => existsSync(folder) && folder !== 'packages/web/dist');

const SOURCES = [
  ...[...COMPILED, PACKAGES, 'packages/server/api/checks.cjs', 'packages/server/plugins.js'],
  ...['tools/build-service.js', 'tools/join-modules.js', 'packages/server/package.json'],
];

if (!isUpToDate(ENTRY, SOURCES)) {
  const output = await bundle(OPTIONS, [withPluginDoor()]);
  await writeBundle(output);
  const kilobytes = Math.round(output.reduce((sum, { code }) => sum + code.length, 0) / 1024);
  console.log(`bundle: ${output.length} files, ${kilobytes} KB`);
}

/** Our plugins import the package that the bundle becomes. A file of the bundle holds what it uses of that door. */
function withPluginDoor() {
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
  checkDependencies(output);
  const written = new Set();
  const write = (name, content) => {
    written.add(name.split('/')[0]);
    mkdirSync(path.dirname(path.join(TARGET, name)), { recursive: true });
    writeFileSync(path.join(TARGET, name), content);
  };
  write('package.json', '{ "type": "commonjs" }\n');
  write('LICENSES.txt', licences());
  write('plugin.mjs', pluginDoor(output));
  for (const { fileName, code } of output.sort((one, other) => one.isEntry - other.isEntry)) write(fileName, code);
  // Now: it loads our plugins, and they the bundle.
  const { pluginTypes, serviceTypes } = await import('./types.js');
  write('start-mayfly.d.ts', serviceTypes());
  for (const [name, content] of pluginTypes()) write(name, content);
  // Another build may run at the same time, and remove the same.
  const stale = readdirSync(TARGET).filter((name) => !written.has(name));
  for (const name of stale) rmSync(path.join(TARGET, name), { force: true });
  checkNeighbours(output);
}

/** What `mayfly-inbox/plugin` exports, as a module whose names Node and editors see. */
function pluginDoor(output) {
  const { exports } = output.find(({ isEntry, name }) => isEntry && name === 'plugin');
  return `import { createRequire } from 'node:module';

export const { ${exports.sort().join(', ')} } = createRequire(import.meta.url)('./plugin.js');
`;
}

/** The licences of the packages whose code ours contains: they demand to be copied with it. */
function licences() {
  const texts = PAGE.map((held) => {
    const { folder, manifest } = packageAt(`node_modules/${held}`);
    const { name, version, license } = manifest;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}\n`;
  });
  const mit = readFileSync('LICENSE', 'utf8').trim();
  for (const [name, holders] of Object.entries(DATA))
    texts.push(`${name}\n\n${mit.replace(/^Copyright .*$/m, holders)}\n`);
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** Otherwise a user's `npm audit` would not see what runs. */
function checkDependencies(output) {
  const ids = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const own = new Set(output.map(({ fileName }) => fileName));
  const imported = ids.filter((id) => !own.has(id) && !isBuiltin(id)).map(packageOf);
  const breaches = dependencyBreaches('packages/server', dependencies, packagesIn(output), imported);
  if (breaches.length > 0) throw new Error(breaches.join('\n'));
}

/** Code that finds files relative to itself has moved into the bundle, from where other files are found. */
function checkNeighbours(output) {
  for (const { code } of output) {
    const named = code.matchAll(/new URL\((['"`])(\.[^'"`]*)\1, (?:import\.meta\.url|require\("url"\))/g);
    const missing = [...named].map(([, , target]) => target).find((one) => !existsSync(path.join(TARGET, one)));
    if (missing !== undefined) throw new Error(`The bundle looks for ${missing}, which is not next to it.`);
  }
}
