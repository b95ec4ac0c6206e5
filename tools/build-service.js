// Joins the compiled service and the packages that it uses into a few files, server/bundle, which server/bin/mayfly.js runs: to
// find, read and link some five hundred files one by one took half of a start. Names stay as they are, so that a stack trace can
// be read.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

/** What is run: the command line, and each thread. */
const ENTRIES = { main: 'server/dist/main.js', worker: 'server/dist/inbox/threads/worker.js' };

/**
 * Packages that look for files of their own where they stand (native code, and threads), and those that the framework loads only
 * where nobody has given it others in their place, or for tests.
 */
const LEFT_OUT = [
  'lmdb',
  'piscina',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
];

const TARGET = 'server/bundle';

const { output } = await build({
  configFile: false,
  logLevel: 'error',
  ssr: { noExternal: true, external: LEFT_OUT },
  build: {
    ssr: true,
    write: false,
    minify: false,
    target: 'node20',
    rolldownOptions: { input: ENTRIES, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
});

mkdirSync(TARGET, { recursive: true });
// The entries are written last, so that whoever starts meanwhile finds what they name.
for (const { fileName, code } of output.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry))) {
  writeFileSync(path.join(TARGET, fileName), code);
}
const names = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync(TARGET)) {
  if (!names.has(name)) rmSync(path.join(TARGET, name));
}

// What the code finds by where it stands stands elsewhere now.
const missing = output
  .flatMap(({ code }) => [...code.matchAll(/new URL\((['"`])(\.[^'"`]*)\1, import\.meta\.url\)/g)])
  .map(([, , target]) => target)
  .filter((target) => !existsSync(path.join(TARGET, target)));
for (const target of missing) console.error(`bundle: there is no ${target} beside ${TARGET}`);
if (missing.length > 0) process.exitCode = 1;

const kilobytes = Math.round(output.reduce((sum, { code }) => sum + code.length, 0) / 1024);
console.log(`bundle: ${output.length} files, ${kilobytes} KB`);
