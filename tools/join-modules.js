export async function bundle(rolldownOptions, plugins = []) {
  // Loaded on use: it takes longer than all the rest of a build that has nothing to do.
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    plugins,
    build: { ssr: true, write: false, minify: false, target: 'node20', rolldownOptions },
  });
  return output;
}

/** Joins a program and all modules that it imports into one file. `more` has further options of the bundler. */
export async function joinModules(input, more = {}) {
  const [{ code }] = await bundle({ input, output: { format: 'cjs', codeSplitting: false }, ...more });
  return code;
}
