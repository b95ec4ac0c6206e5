/** Joins a program and all modules that it imports into one CommonJS file. `more` has further options of the bundler. */
export async function joinModules(input, more = {}) {
  // Loaded on use: it takes longer than all the rest of a build that has nothing to do.
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rolldownOptions: { input, output: { format: 'cjs', codeSplitting: false }, ...more },
    },
  });
  return output[0].code;
}
