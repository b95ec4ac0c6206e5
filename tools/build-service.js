// Joins the compiled workspaces of the service into a few files, packages/server/bundle, which
// packages/server/bin/mayfly.js runs: to find, read and link some five hundred files one by one took half of a start.
// Names stay as they are, so that a stack trace can be read. CommonJS, because loading Node's ES module loader takes a
// tenth of a start. Does nothing where all is as it was.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { isUpToDate, PACKAGES } from './build.js';
import { dependencyBreaches, packageAt, packageOf, packagesIn } from './manifests.js';

/** The entry points: the command line, what starts a service from another process, that service, threads, plugins. */
const ENTRIES = {
  main: 'packages/server/dist/main.js',
  'start-mayfly': 'packages/server/dist/start-mayfly.js',
  'service-process': 'packages/server/dist/service-process.js',
  worker: 'packages/server/dist/worker.js',
  plugin: 'virtual:plugin',
};

/** Whose data the service holds without the package that they come from, and what says so. */
const DATA = { 'caniemail, its data (MIT)': 'Copyright © Avi Goldman\nCopyright © Andrew Powell' };

/** What the service runs on, which is imported as it is installed. */
const { dependencies } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'));

/** What the page holds, which the package contains, too. */
const PAGE = ['preact'];
const TARGET = 'packages/server/bundle';

/**
 * Written last, so that a service that starts meanwhile finds the files that it names, and so that a build that was cut
 * short does not pass for a complete one.
 */
const ENTRY = path.join(TARGET, 'main.js');

/** The compiled workspaces but the page's, which the bundle does not hold. */
const COMPILED = ['packages', 'plugins']
  .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}/dist`))
  .filter((folder) => existsSync(folder) && folder !== 'packages/web/dist');

const SOURCES = [
  ...[...COMPILED, PACKAGES, 'packages/server/api/checks.cjs', 'packages/server/plugins.js'],
  ...['tools/build-service.js', 'packages/server/package.json'],
];

if (!isUpToDate(ENTRY, SOURCES)) {
  const output = await bundled();
  await writeBundle(output);
  const kilobytes = Math.round(output.reduce((sum, { code }) => sum + code.length, 0) / 1024);
  console.log(`bundle: ${output.length} files, ${kilobytes} KB`);
}

async function bundled() {
  // It takes longer to load than all else here where nothing is to be done.
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    plugins: [withPluginDoor()],
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: ENTRIES,
        external: (id) => packageOf(id) in dependencies,
        // What others share with the door of plugins is in a file of its own.
        preserveEntrySignatures: 'strict',
        // Comments are a third of all that a start reads; the licences that some hold are in LICENSES.txt.
        output: {
          format: 'cjs',
          // Modules that are loaded later are loaded with require(), too.
          dynamicImportInCjs: false,
          comments: false,
          entryFileNames: '[name].js',
          // A service that runs while another build is made loads its own files.
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  });
  return output;
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
  const files = new Map([
    ['package.json', '{ "type": "commonjs" }\n'],
    ['LICENSES.txt', licences()],
    ['plugin.mjs', pluginDoor(output)],
  ]);
  for (const { fileName, code } of output.sort((one, other) => one.isEntry - other.isEntry)) files.set(fileName, code);
  mkdirSync(TARGET, { recursive: true });
  for (const [name, content] of files) writeFileSync(path.join(TARGET, name), content);
  // Now: it loads our plugins, and they the bundle.
  const { pluginTypes, serviceTypes, TYPES } = await import('./types.js');
  const types = new Map([['start-mayfly.d.ts', serviceTypes()], ...pluginTypes()]);
  for (const [name, content] of types) {
    files.set(name, content);
    mkdirSync(path.dirname(path.join(TARGET, name)), { recursive: true });
    writeFileSync(path.join(TARGET, name), content);
  }
  for (const name of readdirSync(TARGET)) {
    // Another build may run at the same time, and remove the same.
    const isOurs = files.has(name) || name === TYPES;
    if (!isOurs) rmSync(path.join(TARGET, name), { force: true });
  }
  checkNeighbours(output);
}

/** What `mayfly-inbox/plugin` exports, as a module whose names Node and editors see. */
function pluginDoor(output) {
  const { exports } = output.find(({ isEntry, name }) => isEntry && name === 'plugin');
  return `import { createRequire } from 'node:module';

export const { ${exports.sort().join(', ')} } = createRequire(import.meta.url)('./plugin.js');
`;
}

function mitLicence(holders) {
  return readFileSync('LICENSE', 'utf8').replace(/^Copyright .*$/m, holders);
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
  for (const [name, holders] of Object.entries(DATA)) texts.push(`${name}\n\n${mitLicence(holders).trim()}\n`);
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
    for (const [, , target] of code.matchAll(
      /new URL\((['"`])(\.[^'"`]*)\1, (?:import\.meta\.url|require\("url"\))/g,
    )) {
      if (!existsSync(path.join(TARGET, target)))
        throw new Error(`The bundle looks for ${target}, which is not beside it.`);
    }
  }
}
