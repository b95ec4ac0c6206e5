// Prints how large the whole client is for a page that bundles it, minified and gzipped. Exits with 1 when that is too large.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** 9 KB for what a wait needs. Whole addresses take some 170 bytes of it, spaces and private names 420. */
const MAX_BYTES = 9 * 1024;

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
      // As in a page, whose own entry is another module: what loads later takes what it shares from this file.
      preserveEntrySignatures: 'allow-extension',
    },
  },
});
// Modules that load only after a timeout or an error do not count.
const code = output.flatMap((file) => (file.isDynamicEntry ? [] : file.code)).join('');
const bytes = gzipSync(code, { level: 9 }).length;
console.log(`mayfly-client: ${code.length} bytes minified, ${bytes} gzipped, ${MAX_BYTES} allowed`);
if (bytes > MAX_BYTES) process.exitCode = 1;
