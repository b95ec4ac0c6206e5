// Builds the web UI into packages/server/page, with compressed copies. All names except index.html contain a hash. Fails
// if the page exceeds its size limit.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { minifySync } from '@swc/core';
import { build } from 'vite';
import { checkBundled, read } from './manifests.js';

/** Maximum size of the whole page, gzipped. */
const MAX_GZIPPED_BYTES = 63 * 1024;
const TARGET = 'packages/server/page';

/** The first versions with CSS's light-dark(). For older browsers, the build would write duplicate rules instead. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** Uses the client's copy of mayfly-protocol, so that the page has it once. */
const ALIASES = [{ find: /^mayfly-protocol/, replacement: path.resolve('packages/client/protocol') }];

/** SWC's output is 2 % smaller than that of Vite's own minifier. */
const SMALLEST = { module: true, ecma: 2022, compress: { ecma: 2022, passes: 3 }, mangle: { topLevel: true } };

// Overrides the NODE_ENV of a test runner, with which the page would be larger.
process.env.NODE_ENV = 'production';

const { output } = await build({
  root: 'packages/web',
  resolve: { alias: ALIASES },
  configFile: false,
  logLevel: 'error',
  // Calls of createElement take less room than those of the JSX runtime.
  oxc: { jsxInject: "import * as React from 'preact'", jsx: { runtime: 'classic' } },
  build: { write: false, modulePreload: false, target: BROWSERS, minify: false, cssMinify: true },
});
checkBundled(output, read('packages/server', 'package.json').dependencies);
const files = output.map((file) => {
  const bytes = Buffer.from(file.type === 'chunk' ? minifySync(file.code, SMALLEST).code : file.source);
  return { name: file.fileName, bytes, gzipped: gzipSync(bytes, { level: zlib.Z_BEST_COMPRESSION }) };
});

const gzippedBytes = files.reduce((sum, { gzipped }) => sum + gzipped.length, 0);
console.log(`page: ${files.length} files, ${gzippedBytes} bytes gzipped of at most ${MAX_GZIPPED_BYTES}`);
// Exits before writing the page, because the next build would otherwise consider it up to date.
if (gzippedBytes > MAX_GZIPPED_BYTES) process.exit(1);

const written = new Set();
// Writes index.html last, so that a service that starts meanwhile finds the page's files.
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
