// Builds the inbox page (web/) into packages/server/page, which the service serves; each file is also compressed. The
// names of all files but index.html carry a hash of their content. Fails if the page has grown too heavy.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { build } from 'vite';
import { dependencyBreaches, packagesIn } from './manifests.js';

/** The largest size of the whole page, gzipped, with the parts that load only where they are shown. */
const MAX_GZIPPED_BYTES = 52 * 1024;
const TARGET = 'packages/server/page';

/** Since then all of them know light-dark(), which would be written out twice for older ones. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

// A test runner sets another one, for which the page would be larger than what users get.
process.env.NODE_ENV = 'production';
const { output } = await build({
  root: 'packages/web',
  // The client's copy of what both share, or the page would hold it twice.
  resolve: { alias: { 'mayfly-protocol': path.resolve('packages/client/protocol') } },
  configFile: false,
  logLevel: 'error',
  build: { write: false, modulePreload: false, target: BROWSERS },
});
const { dependencies } = JSON.parse(readFileSync('packages/server/package.json', 'utf8'));
const breaches = dependencyBreaches('packages/server', dependencies, packagesIn(output));
if (breaches.length > 0) throw new Error(breaches.join('\n'));
const files = output.map((file) => {
  const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
  return { name: file.fileName, bytes, gzipped: gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION }) };
});

const gzippedBytes = files.reduce((sum, { gzipped }) => sum + gzipped.length, 0);
console.log(`page: ${files.length} files, ${gzippedBytes} bytes gzipped of at most ${MAX_GZIPPED_BYTES}`);
// Before anything is written, or the next build would take the page for a good one.
if (gzippedBytes > MAX_GZIPPED_BYTES) process.exit(1);

const written = new Set();
// index.html is written last, so that a service that starts meanwhile finds the files that it names.
files.sort((one, other) => Number(one.name === 'index.html') - Number(other.name === 'index.html'));
for (const { name, bytes, gzipped } of files) {
  for (const [suffix, content] of Object.entries({ '': bytes, '.gz': gzipped, '.br': brotliCompressSync(bytes) })) {
    const file = path.join(TARGET, name + suffix);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    written.add(file);
  }
}
for (const entry of readdirSync(TARGET, { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name);
  if (entry.isFile() && !written.has(file)) rmSync(file);
}
