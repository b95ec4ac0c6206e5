// Builds the service and its command line into one file with Node, a single executable application:
//   node tools/build-executable.js [--target linux-arm64]
// Writes packages/server/executable/dist/TARGET. packages/server/executable/package.json has the version of Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, joinModules } from './build.js';
import { licences, OPTIONS, withPluginDoor } from './build-service.js';
import { bundledFolders, read } from './manifests.js';
import { optionsOf, refuse } from './options.js';

const HOST = `${process.platform.replace(/32$/, '')}-${process.arch}`;

/** npm has no Node 24 for macOS, so --node names one. `system` is npm's name of the operating system. */
const TARGETS = {
  'linux-x64': { system: 'linux' },
  'linux-arm64': { system: 'linux' },
  'darwin-arm64': { system: 'darwin', macho: { machoSegmentName: 'NODE_SEA' } },
  'win-x64': { system: 'win32', suffix: '.exe' },
};

const USAGE = `Usage: node tools/build-executable.js [--target ${Object.keys(TARGETS).join('|')}] [--node FILE]

The default target is this system. For another system, the executable lacks compiled code and starts more slowly.
--node FILE is the target's Node, instead of the one from npm.`;

const SOURCE = 'packages/server/executable';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Modules for what Mayfly does not use: the default format of LMDB, and Fastify's HTTPS, HTTP/2 (15 ms at each start),
 * compilers of schemas, tests, and comparison of its version with what its plugins need, which the lock file fixes.
 */
const UNUSED = [
  ...['msgpackr', 'node:http2', 'node:https', 'light-my-request', 'semver'],
  ...['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
];

/**
 * A larger young generation: the start needs no garbage collection instead of nine. One thread for V8's compilers and
 * collectors instead of four, which cost more than they saved. Most flags of V8 disable the compiled code of Node itself.
 */
const FLAGS = ['--min-semi-space-size=16', '--v8-pool-size=1'];

/** Modules of the bundle that are different in the executable. */
const REPLACED = {
  [path.resolve('packages/server/dist/own-package.js')]: 'packages/server/dist/executable/embedded-package.js',
  'node-gyp-build-optional-packages': 'packages/server/dist/executable/native-part.js',
};

/** The router compiles a function for each shorter prefix of a path at every start; longer ones are compared directly. */
const COMPILED_PREFIXES = 'const LONG_PREFIX_MIN_LENGTH = 16';

const { target = HOST, node } = optionsOf(USAGE, { target: { type: 'string' }, node: { type: 'string' } });
if (!Object.hasOwn(TARGETS, target)) refuse(`There is no target ${target}`);
await build(target, node);

async function build(target, givenNode) {
  const { system, suffix = '', macho = {} } = TARGETS[target];
  const packages = installed(target, system);
  const targetNode = givenNode ?? path.join(packages, `node-${target}/bin/node${suffix}`);
  if (!existsSync(targetNode)) refuse(`There is no ${targetNode}. Name a Node of ${target} with --node`);
  // Prepares the assets, which takes the same version of Node.
  const hostNode = target === HOST ? targetNode : path.join(installed(HOST, process.platform), `node-${HOST}/bin/node`);

  const work = path.join(packages, '../work');
  rmSync(work, { recursive: true, force: true });
  const assets = path.join(work, 'assets');
  const lmdb = path.join(packages, `@lmdb/lmdb-${system}-${target.split('-')[1]}`);
  await writeAssets(assets, lmdb, targetNode);
  if (target === HOST) execFileSync(hostNode, [...FLAGS, `${SOURCE}/record.mjs`, assets], { stdio: 'pipe' });
  const config = {
    main: path.join(assets, 'main.js'),
    output: path.join(work, 'blob'),
    disableExperimentalSEAWarning: true,
    execArgv: FLAGS,
    assets: Object.fromEntries(filesBelow(assets).map((name) => [name, path.join(assets, name)])),
  };
  writeFileSync(path.join(work, 'config.json'), JSON.stringify(config));
  execFileSync(hostNode, ['--experimental-sea-config', path.join(work, 'config.json')], { stdio: 'pipe' });

  const made = path.join(work, `mayfly${suffix}`);
  cpSync(targetNode, made);
  if (system === 'darwin' && process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', made]);
  const inject = [path.join(packages, 'postject/dist/cli.js'), made, 'NODE_SEA_BLOB', config.output];
  const segment = macho.machoSegmentName ? ['--macho-segment-name', macho.machoSegmentName] : [];
  execFileSync(process.execPath, [...inject, '--sentinel-fuse', FUSE, ...segment], { stdio: 'pipe' });
  // macOS runs only signed programs. An ad-hoc signature names no one.
  if (system === 'darwin' && process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', made]);

  const folder = path.join(SOURCE, 'dist', target);
  mkdirSync(folder, { recursive: true });
  renameSync(made, path.join(folder, `mayfly${suffix}`));
  cpSync(path.join(assets, 'LICENSES.txt'), path.join(folder, 'LICENSES.txt'));
  console.log(`executable: ${folder}/mayfly${suffix}`);
}

/** Installs the packages for a target, and returns their folder. */
function installed(target, system) {
  const folder = path.resolve('node_modules/.cache/executable', target);
  mkdirSync(folder, { recursive: true });
  const copy = path.join(folder, 'package-lock.json');
  const isCurrent = existsSync(copy) && readFileSync(copy).equals(readFileSync(`${SOURCE}/package-lock.json`));
  // npm writes this file last.
  if (!isCurrent || !existsSync(path.join(folder, 'node_modules/.package-lock.json'))) {
    cpSync(path.join(SOURCE, 'package.json'), path.join(folder, 'package.json'));
    cpSync(path.join(SOURCE, 'package-lock.json'), copy);
    const platform = [`--os=${system}`, `--cpu=${target.split('-')[1]}`];
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...platform], {
      cwd: folder,
      stdio: 'pipe',
      shell: process.platform === 'win32',
    });
  }
  return path.join(folder, 'node_modules');
}

async function writeAssets(folder, lmdb, targetNode) {
  const write = (name, content) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };
  const output = await bundle(
    {
      ...OPTIONS,
      input: { main: OPTIONS.input.main, worker: OPTIONS.input.worker, plugin: OPTIONS.input.plugin },
      external: [],
    },
    [withReplaced(), withPluginDoor()],
  );
  for (const { fileName, code } of output) {
    // As Node wraps CommonJS.
    write(`bundle/${fileName}`, inLatin1(`(function (exports, require, module, __filename, __dirname) {${code}\n})`));
  }
  write('main.js', await joinModules(`${SOURCE}/main.js`));
  for (const name of ['api/openapi.json', 'docs', 'package.json', 'page'])
    cpSync(path.join('packages/server', name), path.join(folder, name), { recursive: true });
  const [wanted, found] = [read('node_modules/lmdb', 'package.json').version, read(lmdb, 'package.json').version];
  if (wanted !== found)
    throw new Error(`LMDB is ${wanted}, but ${SOURCE}/package.json has the native part of ${found}.`);
  const native = readdirSync(lmdb).find((name) => /^node\.napi(?:\.glibc)?\.node$/.test(name));
  const bytes = loadable(readFileSync(path.join(lmdb, native)));
  write(`native/lmdb-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.node`, bytes);
  const own = ['LICENSE', path.resolve(targetNode, '../../LICENSE')].map((file) => readFileSync(file, 'utf8'));
  const names = new Set(bundledFolders(output).map((one) => read(one, 'package.json').name));
  write('LICENSES.txt', [...own, licences([...names])].join(`\n${'-'.repeat(80)}\n\n`));
}

/**
 * The part of a library for Linux that is loaded, without the debugging sections at its end: four fifths of LMDB's, which
 * each start compares with the cache folder. (elf(5): Elf64_Ehdr, Elf64_Phdr)
 */
function loadable(bytes) {
  if (bytes.readUInt32BE() !== 0x7f454c46) return bytes;
  const headsAt = Number(bytes.readBigUInt64LE(32));
  const ends = Array.from({ length: bytes.readUInt16LE(56) }, (_, n) => {
    const head = bytes.subarray(headsAt + n * bytes.readUInt16LE(54));
    return Number(head.readBigUInt64LE(8) + head.readBigUInt64LE(32));
  });
  // Without the table of sections, which is at the end as well.
  const part = bytes.subarray(0, Math.max(...ends));
  return part.fill(0, 40, 48).fill(0, 58, 64);
}

/** Escapes other characters, because V8 keeps a text with any of them in twice the memory. */
function inLatin1(code) {
  const escaped = code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Buffer.from(escaped, 'latin1');
}

function withReplaced() {
  return {
    name: 'with-replaced',
    enforce: 'pre',
    async resolveId(name, importer) {
      if (UNUSED.includes(name)) return '\0nothing';
      const id = name.startsWith('.') && importer ? path.resolve(path.dirname(importer), name) : name;
      return Object.hasOwn(REPLACED, id) ? path.resolve(REPLACED[id]) : null;
    },
    load: (name) =>
      name === '\0nothing' ? 'export let Encoder, satisfies = () => true; export default Encoder;' : null,
    transform(code, id) {
      if (!id.endsWith('find-my-way/lib/node.js')) return null;
      if (!code.includes(COMPILED_PREFIXES)) throw new Error(`${id} lacks "${COMPILED_PREFIXES}".`);
      return code.replace(COMPILED_PREFIXES, 'const LONG_PREFIX_MIN_LENGTH = 2');
    },
  };
}

function filesBelow(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).replaceAll(path.sep, '/'))
    .sort();
}
