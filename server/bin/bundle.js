// Loads the bundle that the build makes (tools/build-service.js), with the code that V8 made of it then (vm.Script: cachedData):
// to read and compile it anew takes longer than all else that a start does. V8 refuses code of another version of itself or other
// flags, and then the bundle is compiled as any file is.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';

const FOLDER = fileURLToPath(new URL('../bundle/', import.meta.url));

/**
 * What follows the name of a file in that of its code. V8 tells a file by its length alone, so only files whose name holds a hash of
 * what is in them have any: no code is ever taken for that of another.
 */
export const CODE_SUFFIX = `.${process.versions.v8}.code`;

/** What has been loaded so far, by its name. */
export const loaded = new Map();

/** Runs a file of the bundle, once, and returns what it exports. */
export function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.module.exports;
  const file = FOLDER + name;
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`,
    {
      filename: file,
      cachedData: codeOf(file),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const module = { exports: {} };
  loaded.set(name, { file, script, module });
  const others = createRequire(file);
  const require = (target) => (target.startsWith('./') ? load(target.slice('./'.length)) : others(target));
  script.runInThisContext()(module.exports, require, module, file, FOLDER);
  return module.exports;
}

function codeOf(file) {
  try {
    return readFileSync(file + CODE_SUFFIX);
  } catch {
    return undefined;
  }
}
