// Loads the bundle that the build makes (tools/build-service.js) with the code that V8 compiled then, or in an earlier
// process (keepCode): compiling it again takes longer than the rest of a start. V8 refuses code of another version of
// itself or of other flags; then the bundle is compiled as any file is (vm.Script: cachedData). This folder is
// CommonJS, because loading Node's ES module loader takes a tenth of a start.
const { createHash } = require('node:crypto');
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { constants, Script } = require('node:vm');

const FOLDER = path.join(__dirname, '../bundle');

/**
 * The name of a file's code is the file's name and this. V8 compares only the length of the source, so only files with
 * a hash of their content in their name have code: no code is ever used for another source.
 */
const CODE_SUFFIX = `.${process.versions.v8}.code`;

/** A file name that holds a hash of the content. */
const HASHED = /-[\w-]{8}\.js$/;

/** The length of a SHA-256. */
const SEAL_BYTES = 32;

/** Whatever the umask is, only the owner of the package says what its starts run. */
const CODE_MODE = 0o644;

/** What has been loaded so far, by its name. */
const loaded = new Map();

/**
 * Packages outside the bundle, because they look for files of their own, that are run with V8's code, too. Node loads
 * whatever else they require.
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

/** Runs a file of a package outside the bundle, once. Its code is kept in the bundle, named by a hash of the file. */
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
 * Writes the code that V8 has compiled by now, for each loaded file without whole code (D51): packages are published
 * without, because code belongs to one version of V8 and one kind of processor. Writes one file in each round of the
 * event loop: the largest takes some ms. If nothing can be written, starts stay as they are.
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

/** Writes the code of a loaded file. A process that reads it meanwhile finds nothing, or all of it. */
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

/** The content of a code file: the code, then its checksum. */
function sealed(code) {
  return Buffer.concat([code, sealOf(code)]);
}

/** V8 trusts its input: after a power cut during a write, every start would crash on what is left of the file. */
function sealOf(code) {
  return createHash('sha256').update(code).digest();
}

exports.CODE_SUFFIX = CODE_SUFFIX;
exports.loaded = loaded;
exports.keepCode = keepCode;
exports.load = load;
exports.writeCode = writeCode;
