// Loads the bundle that the build makes (tools/build-service.js), with the code that V8 made of it then (vm.Script: cachedData):
// or by a process before (keepCode): to compile it anew takes longer than all else that a start does. V8 refuses code of another version
// of itself or other flags, and then the bundle is compiled as any file is. This folder is CommonJS, which Node has at hand: the loader of modules would take
// a tenth of a start.
const { createHash } = require('node:crypto');
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { constants, Script } = require('node:vm');

const FOLDER = path.join(__dirname, '../bundle');

/**
 * What follows the name of a file in that of its code. V8 tells a file by its length alone, so only files whose name holds a hash of
 * what is in them have any: no code is ever taken for that of another.
 */
const CODE_SUFFIX = `.${process.versions.v8}.code`;

/** What the name of a file looks like that holds a hash of what is in it. */
const HASHED = /-[\w-]{8}\.js$/;

/** How long a SHA-256 is. */
const SEAL_BYTES = 32;

/** Whatever the umask is, only the owner of the package says what its starts run. */
const CODE_MODE = 0o644;

/** What has been loaded so far, by its name. */
const loaded = new Map();

/**
 * Packages that stand outside the bundle because they look for files of their own, and whose JavaScript is run with V8's code all the
 * same. What else these require Node loads as ever.
 */
const OUTSIDE = new Set(['lmdb', 'msgpackr', 'ordered-binary', 'weak-lru-cache', '@harperfast/extended-iterable']);

/** Runs a file of the bundle, once, and returns what it exports. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const file = path.join(FOLDER, name);
  return run(name, { text: readFileSync(file, 'utf8'), file, codeFile: file, requireFrom });
}

/** What a file of the bundle asks for: another one, or a package. */
function requireFrom(target) {
  if (target.startsWith('./')) return load(target.slice('./'.length));
  return OUTSIDE.has(target) ? loadOutside(require.resolve(target)) : require(target);
}

/** Runs a file of a package outside the bundle, once. Its code stands in the bundle, under a name with a hash of what is in the file. */
function loadOutside(file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.module.exports;
  const text = readFileSync(file, 'utf8');
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  const requireBeside = createRequire(file);
  const requireOutside = Object.assign(
    (target) => (OUTSIDE.has(target) ? loadOutside(requireBeside.resolve(target)) : requireBeside(target)),
    requireBeside,
  );
  const codeFile = path.join(FOLDER, `${path.basename(file, path.extname(file))}-${hash}.js`);
  return run(file, { text, file, codeFile, requireFrom: requireOutside });
}

function run(name, { text, file, codeFile, requireFrom: ownRequire }) {
  const source = `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const cachedData = codeOf(codeFile);
  const script = new Script(source, { filename: file, cachedData, importModuleDynamically });
  const module = { exports: {} };
  loaded.set(name, { file, codeFile, hadCode: cachedData !== undefined, script, module });
  script.runInThisContext()(module.exports, ownRequire, module, file, path.dirname(file));
  return module.exports;
}

/** The code of a file; undefined where there is none that is whole. */
function codeOf(file) {
  let sealed;
  try {
    sealed = readFileSync(file + CODE_SUFFIX);
  } catch {
    return undefined;
  }
  const code = sealed.subarray(0, -SEAL_BYTES);
  return sealOf(code).equals(sealed.subarray(code.length)) ? code : undefined;
}

/**
 * Writes down the code that V8 has made by now of each file that was loaded and has none that is whole: a package comes without, for code is of
 * one version of V8 on one kind of processor. Later starts take a third less of a processor. A file at a time, with turns for others in
 * between: the largest takes some ms. Where nothing can be written, starts stay as they are.
 */
async function keepCode() {
  for (const one of loaded.values()) {
    if (!HASHED.test(one.codeFile) || one.hadCode) continue;
    try {
      writeCode(one);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Writes down the code of a file that was loaded. Whoever reads it meanwhile finds none, or all of it. */
function writeCode({ codeFile, script }) {
  const unfinished = `${codeFile}.${process.pid}`;
  try {
    writeFileSync(unfinished, sealed(script.createCachedData()), { mode: CODE_MODE });
    renameSync(unfinished, codeFile + CODE_SUFFIX);
  } catch (error) {
    // A full disk has room for a part of it.
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** What a file of code holds: the code, and behind it what tells that it is whole. */
function sealed(code) {
  return Buffer.concat([code, sealOf(code)]);
}

/** V8 believes what it is given: a machine that lost power while the code was written would die at each start of what it left. */
function sealOf(code) {
  return createHash('sha256').update(code).digest();
}

exports.CODE_SUFFIX = CODE_SUFFIX;
exports.loaded = loaded;
exports.keepCode = keepCode;
exports.load = load;
exports.writeCode = writeCode;
