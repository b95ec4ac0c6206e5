// Joins the compiled service and the packages that it uses into a few files, packages/server/bundle, which
// packages/server/bin/mayfly.js runs: to find, read and link some five hundred files one by one took half of a start.
// Names stay as they are, so that a stack trace can be read. Beside the files stands the code that V8 made of them
// (tools/write-bundle-code.js). Does nothing where all is as it was.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { CODE_SUFFIX } from '../packages/server/bin/bundle.js';
import { dependencyBreaches, isRange, packageAt, packageOf, packagesIn } from './manifests.js';
import { isUpToDate, PACKAGES } from './up-to-date.js';

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

/**
 * What the service runs on. What has an exact version there is in the bundle, because a start needs it and would take
 * much longer with its many files; the rest is imported when it is used.
 */
const { dependencies } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'));
const isImported = (id) => isRange(dependencies[packageOf(id)]);

const BUFFER_BYTES = 512 * 1024;

/** A file of lmdb's for compression, which no table has. */
const UNUSED = './dict/dict.txt';

/** What the page holds, which the package contains, too. */
const PAGE = ['preact'];

const TARGET = 'packages/server/bundle';

/**
 * Written last, so that a service that starts meanwhile finds the files that it names, and so that a build that was cut
 * short does not pass for a complete one.
 */
const ENTRY = path.join(TARGET, 'main.js');

const SOURCES = [
  ...[
    'packages/server/dist',
    'plugins/mailhog/dist',
    'plugins/mailpit/dist',
    'packages/cli/dist',
    'packages/client/dist',
    'packages/mail/dist',
    'packages/mcp/dist',
    'packages/protocol/dist',
    'packages/store-redis/dist',
    'plugins/send-apis/dist',
    'plugins/shared/dist',
  ],
  ...[
    PACKAGES,
    'packages/server/api/checks.cjs',
    'packages/server/api/rare-checks.cjs',
    'packages/server/bin/bundle.js',
    'packages/server/plugins.js',
  ],
  ...['tools/build-service.js', 'packages/server/package.json'],
];

/** Writes down the code of this version of V8, without which the bundle runs as well. */
const writeCode = () =>
  execFileSync(process.execPath, ['tools/write-bundle-code.js'], { stdio: ['ignore', 'ignore', 'inherit'] });

if (isUpToDate(ENTRY, SOURCES)) {
  // That of the command line is written last.
  if (!readdirSync(TARGET).some((name) => name.startsWith('main-') && name.endsWith(CODE_SUFFIX))) writeCode();
} else {
  const output = await bundled();
  await writeBundle(output);
  writeCode();
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
    plugins: [withNativeCode(), withPluginDoor()],
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: {
        input: ENTRIES,
        external: isImported,
        // What others share with the door of plugins is in a file of its own.
        preserveEntrySignatures: 'strict',
        // The name of a file tells what is in it: see packages/server/bin/bundle.js.
        // Comments are a third of all that a start reads; the licences that some hold are in LICENSES.txt.
        output: {
          format: 'cjs',
          // Node 20 refuses import() in a script that it loads with V8's code.
          dynamicImportInCjs: false,
          comments: false,
          entryFileNames: '[name]-[hash].js',
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

/**
 * lmdb looks for its native code beside its own files, which are in the bundle. At each start it loads msgpackr, for
 * the format of values that no table has.
 */
function withNativeCode() {
  const finder = 'node-gyp-build-optional-packages';
  const replaced = {
    [finder]: `import { createRequire } from 'node:module';
      import path from 'node:path';
      import find from '${finder}';
      const lmdb = createRequire(import.meta.url).resolve('lmdb');
      export default () => find(path.join(path.dirname(lmdb), '..'));`,
    msgpackr: 'export const Encoder = null;',
  };
  return {
    name: 'with-native-code',
    enforce: 'pre',
    resolveId: (name, importer) =>
      importer?.includes('/node_modules/lmdb/') && name in replaced ? `\0lmdb:${name}` : null,
    load: (id) => (id.startsWith('\0lmdb:') ? replaced[id.slice('\0lmdb:'.length)] : null),
    transform: (code, id) => (id.endsWith('/node_modules/lmdb/native.js') ? withSmallBuffer(code) : null),
  };
}

/**
 * lmdb copies values into a buffer of 16 MiB. V8 counts it as memory to be freed, and would mark the whole heap during
 * each start, which takes 16 ms. lmdb makes a larger buffer if a value needs it; ours have 256 KiB. Code of lmdb
 * outside the bundle would share the buffer, but the command line's process loads none.
 */
function withSmallBuffer(code) {
  const taken = 'globalBuffer = externals.globalBuffer;';
  if (code.split(taken).length !== 2) throw new Error('lmdb takes its buffer in another way.');
  const shrunk = `
    if (externals.globalBuffer.length > ${BUFFER_BYTES} && /[\\/]mayfly.js$/.test(require.main?.filename)) {
      externals.globalBuffer = Buffer.allocUnsafeSlow(${BUFFER_BYTES});
      externals.setGlobalBuffer(externals.globalBuffer);
    }`;
  return code.replace(taken, `${shrunk}\n${taken}`);
}

async function writeBundle(output) {
  const held = packagesIn(output);
  checkDependencies(held, output);
  held.push(...PAGE.map((name) => packageAt(`node_modules/${name}`)));
  const files = new Map(output.map(({ fileName, code }) => [fileName, asFunction(inAscii(code))]));
  files.set('package.json', '{ "type": "commonjs" }\n');
  files.set('LICENSES.txt', licences(held));
  for (const { name, fileName } of output.filter(({ isEntry }) => isEntry)) {
    // Node loads a thread's entry, without the code that V8 made.
    if (name === 'worker') files.set(`${name}.js`, `require('../bin/bundle.js').load('${fileName}');\n`);
    else files.set(`${name}.js`, asFunction(`module.exports = require('./${fileName}');`));
  }
  files.set('plugin.mjs', pluginDoor(output));
  mkdirSync(TARGET, { recursive: true });
  for (const [name, content] of files) writeFileSync(path.join(TARGET, name), content);
  // Now: it loads our plugins, and they the bundle.
  const { pluginTypes, serviceTypes, TYPES } = await import('./service-types.js');
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
  return `import bundle from '../bin/bundle.js';

export const { ${exports.sort().join(', ')} } = bundle.load('plugin.js');
`;
}

/** A module as packages/server/bin/bundle.js runs it. */
function asFunction(code) {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})\n`;
}

/**
 * JavaScript with escapes for all letters beyond ASCII: V8 keeps each text with one of them in two bytes a letter, and
 * Node decodes it slowly. Throws where an escape would mean something else: behind a backslash, and in a raw template.
 */
function inAscii(code) {
  if (/(?<!\\)\\(?:\\\\)*[^\0-\x7f]|\bString\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error('An escape would change the bundle.');
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function mitLicence(holders) {
  return readFileSync('LICENSE', 'utf8').replace(/^Copyright .*$/m, holders);
}

/** The licences of the packages that the bundle holds, which ask that they go with them. */
function licences(held) {
  const texts = held.map(({ folder, manifest: { name, version, license } }) => {
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}\n`;
  });
  for (const [name, holders] of Object.entries(DATA)) texts.push(`${name}\n\n${mitLicence(holders).trim()}\n`);
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** Otherwise a user's `npm audit` would not see what runs. */
function checkDependencies(held, output) {
  const ids = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const own = new Set(output.map(({ fileName }) => fileName));
  const imported = ids.filter((id) => !own.has(id) && !isBuiltin(id)).map(packageOf);
  const breaches = dependencyBreaches('packages/server', dependencies, held, imported);
  if (breaches.length > 0) throw new Error(breaches.join('\n'));
}

/** What the code finds by where it stands stands elsewhere now. */
function checkNeighbours(output) {
  for (const { code } of output) {
    for (const [, , target] of code.matchAll(
      /new URL\((['"`])(\.[^'"`]*)\1, (?:import\.meta\.url|require\("url"\))/g,
    )) {
      if (target !== UNUSED && !existsSync(path.join(TARGET, target)))
        throw new Error(`The bundle looks for ${target}, which is not beside it.`);
    }
  }
}
