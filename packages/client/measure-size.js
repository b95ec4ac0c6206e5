// Prints the size of the whole client, minified and gzipped, as bundled into a page. Exits with 1 above MAX_BYTES.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** 9 KB, including about 170 bytes for whole addresses as names, and 420 for ad-hoc workspaces and private inboxes. */
const MAX_BYTES = 9 * 1024;

/** Excludes modules that load only after a timeout or an error, because bundlers can put them into separate files. */
const later = { name: 'later', resolveDynamicImport: (id) => ({ id, external: true }) };

const input = fileURLToPath(new URL('dist/in-page.js', import.meta.url));
if (!existsSync(input)) {
  console.error('The client is not built. Run "npm run build" first.');
  process.exit(1);
}
const { output } = await build({
  configFile: false,
  logLevel: 'error',
  plugins: [later],
  ssr: { noExternal: true },
  build: {
    write: false,
    // Without `ssr`, Vite would add its own code, which loads the style sheets of modules.
    ssr: true,
    minify: true,
    rolldownOptions: { input },
  },
});
const [{ code }] = output;
const bytes = gzipSync(code, { level: 9 }).length;
console.log(`mayfly-client: ${code.length} bytes minified, ${bytes} gzipped, ${MAX_BYTES} allowed`);
if (bytes > MAX_BYTES) process.exitCode = 1;
