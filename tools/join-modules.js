export async function bundle(rolldownOptions, plugins = []) {
  // Loading Vite takes longer than the rest of an up-to-date build.
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

/** Bundles a program into one file. `more` has further bundler options. */
export async function joinModules(input, more = {}) {
  const [{ code }] = await bundle({ input, output: { format: 'cjs', codeSplitting: false }, ...more });
  return code;
}
