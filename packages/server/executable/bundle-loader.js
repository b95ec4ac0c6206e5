// Loads the bundle from assets: each file of the bundle with the code that V8 compiled for it at the build.
const { createRequire } = require('node:module');
const path = require('node:path');
const { Script } = require('node:vm');
const { importing } = require('./import-module.js');

/** packages/server/src/executable/embedded-package.ts reads this. */
const EMBEDDED = Symbol.for('mayfly-inbox/embedded');

/** The folder of the bundle in stack traces. */
const FOLDER = path.resolve('/mayfly-executable/bundle');

/** Runs an entry of the bundle. Returns all scripts that the bundle loads, by name. */
exports.startBundle = (assets, entry) => {
  const names = new Set(assets.names());
  const requireBuiltIn = createRequire(process.execPath);
  const [scripts, modules] = [new Map(), new Map()];

  const load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = path.join(FOLDER, name);
    const compiled = `compiled/${name}`;
    // V8 ignores code that another version, or another processor's build, has compiled.
    const cachedData = names.has(compiled) ? assets.read(compiled) : undefined;
    const script = new Script(assets.read(`bundle/${name}`).toString('latin1'), { filename, cachedData });
    scripts.set(name, script);
    const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : requireBuiltIn(id));
    script.runInThisContext().call(module.exports, module.exports, requireFrom, module, filename, FOLDER);
    return module.exports;
  };

  globalThis[EMBEDDED] = { assets, importModule: importing(() => load('plugin.js'), FOLDER) };
  load(entry).run?.();
  return scripts;
};
