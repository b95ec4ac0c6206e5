// Imports a plugin, which is a file on disk. `mayfly-inbox/plugin`, which plugins import, is in the executable.
const { createRequire, registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');

const DOOR = 'mayfly-inbox/plugin';

/** A module with import(), which the main program of an executable and its scripts lack. */
const IMPORTING = 'mayfly:import-module';

/** Returns a function that imports a module by its URL. `door` returns the exports of `mayfly-inbox/plugin`. */
exports.importing = (door, folder) => {
  let importModule;
  return async (url) => {
    importModule ??= open(door(), folder);
    return importModule(url);
  };
};

function open(exported, folder) {
  globalThis[Symbol.for(DOOR)] = exported;
  const added = (file, format, source) => ({ url: `${pathToFileURL(folder)}/${file}`, format, source });
  const modules = new Map([
    [IMPORTING, added('import-module.cjs', 'commonjs', 'module.exports = (url) => import(url);')],
    [
      DOOR,
      added(
        'plugin.mjs',
        'module',
        `export const { ${Object.keys(exported).join(', ')} } = globalThis[Symbol.for('${DOOR}')];`,
      ),
    ],
  ]);
  const withUrl = (url) => [...modules.values()].find((one) => one.url === url);
  registerHooks({
    resolve(name, context, next) {
      const found = modules.get(name);
      return found === undefined ? next(name, context) : { url: found.url, format: found.format, shortCircuit: true };
    },
    load(url, context, next) {
      const found = withUrl(url);
      return found === undefined ? next(url, context) : { ...found, shortCircuit: true };
    },
  });
  return createRequire(process.execPath)(IMPORTING);
}
