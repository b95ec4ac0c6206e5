// Prints how large the whole client is for a page that bundles it, minified and gzipped. Exits with 1 when that is too large.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** 9.25 KiB: a client that a page bundles must stay smaller than a picture. */
const MAX_BYTES = 9_472;

const { output } = await build({
  configFile: false,
  logLevel: 'error',
  build: {
    write: false,
    rolldownOptions: {
      input: fileURLToPath(new URL('dist/index.js', import.meta.url)),
      preserveEntrySignatures: 'strict',
    },
  },
});
const code = output.map((file) => file.code).join('');
const bytes = gzipSync(code, { level: 9 }).length;
console.log(`mayfly-client: ${code.length} bytes minified, ${bytes} gzipped, ${MAX_BYTES} allowed`);
if (bytes > MAX_BYTES) process.exitCode = 1;
