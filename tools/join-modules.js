/** The code of a program and of all modules that it imports, as one CommonJS file. `more` goes to the bundler. */
export async function joinModules(input, more = {}) {
  // It takes longer to load than all else in a build that has nothing to do.
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
