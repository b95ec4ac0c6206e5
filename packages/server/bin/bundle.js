// Loads the bundle that the build makes (tools/build-service.js) with the code that V8 compiled then, or in an earlier
// process (keepCode): compiling it again takes longer than the rest of a start. V8 refuses code of another version of
// itself or of other flags; then the bundle is compiled as any file is (vm.Script: cachedData). This folder is
// CommonJS, because loading Node's ES module loader takes a tenth of a start.
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { constants, Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const FOLDER = path.join(__dirname, '../bundle');

/**
 * The name of a file's code is the file's name and this. V8 compares only the length of the source, so only files with
 * a hash of their content in their name have code: no code is ever used for another source.
 */
const CODE_SUFFIX = `.${process.versions.v8}.code`;

/** A file name that holds a hash of the content. */
const HASHED = /-[\w-]{8}\.js$/;

const SEAL_BYTES = 4;

/** Whatever the umask is, only the owner of the package says what its starts run. */
const CODE_MODE = 0o644;

/** What has been loaded so far, by its name. */
const loaded = new Map();

/** Runs a file of the bundle, once, and returns what it exports. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const file = path.join(FOLDER, name);
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const cachedData = codeOf(file);
  // A function, as the build writes it: to put it around a text of some hundred KB copies that.
  const script = new Script(readFileSync(file, 'utf8'), { filename: file, cachedData, importModuleDynamically });
  const module = { exports: {} };
  loaded.set(name, { file, hadCode: cachedData !== undefined, script, module });
  script.runInThisContext()(module.exports, requireFrom, module, file, FOLDER);
  return module.exports;
}

/** What a file of the bundle asks for: another one, or a package. */
function requireFrom(target) {
  return target.startsWith('./') ? load(target.slice('./'.length)) : require(target);
}
requireFrom.main = require.main;

/** The code of a file; undefined where there is none that is whole. */
function codeOf(file) {
  let sealed;
  try {
    sealed = readFileSync(file + CODE_SUFFIX);
  } catch {
    return undefined;
  }
  const code = sealed.subarray(0, -SEAL_BYTES);
  return sealed.length > SEAL_BYTES && sealed.readUInt32LE(code.length) === crc32(code) ? code : undefined;
}

/**
 * Writes the code that V8 has compiled by now, for each loaded file without whole code (D51): packages are published
 * without, because code belongs to one version of V8 and one kind of processor. Writes one file in each round of the
 * event loop: the largest takes some ms. If nothing can be written, starts stay as they are.
 */
async function keepCode() {
  for (const one of loaded.values()) {
    if (!HASHED.test(one.file) || one.hadCode) continue;
    try {
      writeCode(one);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Writes the code of a loaded file. A process that reads it meanwhile finds nothing, or all of it. */
function writeCode({ file, script }) {
  const unfinished = `${file}.${process.pid}`;
  try {
    writeFileSync(unfinished, sealed(script.createCachedData()), { mode: CODE_MODE });
    renameSync(unfinished, file + CODE_SUFFIX);
  } catch (error) {
    // A full disk has room for a part of it.
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * The content of a code file: the code, then its checksum. V8 trusts its input: after a power cut during a write, every
 * start would crash on what is left of the file.
 */
function sealed(code) {
  const seal = Buffer.alloc(SEAL_BYTES);
  seal.writeUInt32LE(crc32(code));
  return Buffer.concat([code, seal]);
}

exports.CODE_SUFFIX = CODE_SUFFIX;
exports.loaded = loaded;
exports.keepCode = keepCode;
exports.load = load;
exports.sealed = sealed;
exports.writeCode = writeCode;
