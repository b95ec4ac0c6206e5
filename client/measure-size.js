// Prints how large the whole client is for a page that bundles it, minified and gzipped. Exits with 1 when that is too large.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** The measured size, up to the next 64. Whole addresses take some 170 bytes of it, spaces and private names 420. */
const MAX_BYTES = 9_728;

const { output } = await build({
  configFile: false,
  logLevel: 'error',
  ssr: { noExternal: true },
  build: {
    write: false,
    // Otherwise Vite adds its own code to load styles with modules.
    ssr: true,
    minify: true,
    rolldownOptions: {
      input: fileURLToPath(new URL('dist/index.js', import.meta.url)),
      preserveEntrySignatures: 'strict',
    },
  },
});
// Modules that load only after a timeout do not count.
const code = output.flatMap((file) => (file.isDynamicEntry ? [] : file.code)).join('');
const bytes = gzipSync(code, { level: 9 }).length;
console.log(`mayfly-client: ${code.length} bytes minified, ${bytes} gzipped, ${MAX_BYTES} allowed`);
if (bytes > MAX_BYTES) process.exitCode = 1;
