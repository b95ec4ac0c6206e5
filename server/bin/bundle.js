// Loads the bundle that the build makes (tools/build-service.js), with the code that V8 made of it then (vm.Script: cachedData):
// to compile it anew takes longer than all else that a start does. V8 refuses code of another version of itself or other flags, and
// then the bundle is compiled as any file is. This folder is CommonJS, which Node has at hand: the loader of modules would take
// a tenth of a start.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { constants, Script } = require('node:vm');

const FOLDER = path.join(__dirname, '../bundle');

/**
 * What follows the name of a file in that of its code. V8 tells a file by its length alone, so only files whose name holds a hash of
 * what is in them have any: no code is ever taken for that of another.
 */
const CODE_SUFFIX = `.${process.versions.v8}.code`;

/** How long a SHA-256 is. */
const SEAL_BYTES = 32;

/** What has been loaded so far, by its name. */
const loaded = new Map();

/** Runs a file of the bundle, once, and returns what it exports. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const file = path.join(FOLDER, name);
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const script = new Script(text, { filename: file, cachedData: codeOf(file), importModuleDynamically });
  const module = { exports: {} };
  loaded.set(name, { file, script, module });
  script.runInThisContext()(module.exports, requireFrom, module, file, FOLDER);
  return module.exports;
}

/** What a file of the bundle asks for: another one, or a package. */
function requireFrom(target) {
  return target.startsWith('./') ? load(target.slice('./'.length)) : require(target);
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
exports.load = load;
exports.sealed = sealed;
