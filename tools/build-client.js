// Finishes the compiler's build of the client. Puts what client and service share (packages/protocol) next to it, so
// that the published package needs no other package. Marks the second build (packages/client/tsconfig.cjs.json) as
// CommonJS, because its files have the same names as those of the first. With --command, joins the command line into one
// file, which Node reads sooner than forty files.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isUpToDate, joinModules } from './build.js';

const DIST = 'packages/client/dist';
const PROTOCOL = 'packages/protocol/dist';
const COMMAND_LINE = 'packages/cli/dist';
const SOURCES = 'packages/client/src';
const COMMAND = path.join(DIST, 'bin/mayfly.js');
const COMMON_JS = '{ "type": "commonjs" }\n';

/** Outside DIST, where removeStale expects a source for each file. */
const SHARED = 'packages/client/protocol';

/** Files in the build that the compiler did not write, and the second build inside the first. */
const ADDED = /^(?:bin|cjs)\//;

if (process.argv.includes('--command')) {
  const modules = compiledIn(DIST).map((name) => path.join(DIST, name));
  const makers = ['tools/build-client.js', 'tools/build.js'];
  if (!isUpToDate(COMMAND, [...modules, PROTOCOL, COMMAND_LINE, ...makers]))
    writeFileSync(COMMAND, await joinModules(path.join(COMMAND_LINE, 'main.js')));
} else {
  mkdirSync(path.dirname(COMMAND), { recursive: true });
  for (const build of ['', 'cjs']) {
    removeStale(path.join(DIST, build));
    takeProtocol(build);
  }
  for (const folder of [path.join(SHARED, 'cjs'), path.join(DIST, 'cjs'), path.join(DIST, 'bin')]) {
    const manifest = path.join(folder, 'package.json');
    if (!existsSync(manifest)) writeFileSync(manifest, COMMON_JS);
  }
}

function compiledIn(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => /\.(?:ts|js|map)$/.test(name) && !ADDED.test(name));
}

/** The compiler keeps the output of deleted sources, which would be published. */
function removeStale(folder) {
  for (const name of compiledIn(folder)) {
    const source = path.join(SOURCES, name.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
    if (!existsSync(source)) rmSync(path.join(folder, name));
  }
}

/**
 * Copies the shared modules into a build, and lets its files import them there. Keeps files that are up to date, because
 * tests pack the client, which builds it, while others read it.
 */
function takeProtocol(build) {
  const [from, to] = [PROTOCOL, SHARED].map((folder) => path.join(folder, build));
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((one) => /\.(?:ts|js)$/.test(one))) {
    const [source, copy] = [path.join(from, name), path.join(to, name)];
    if (!isUpToDate(copy, [source])) copyFileSync(source, copy);
  }
  for (const name of compiledIn(path.join(DIST, build))) {
    const file = path.join(DIST, build, name);
    const own = path.relative(path.dirname(file), to);
    const text = readFileSync(file, 'utf8');
    const changed = text.replace(
      /(["'])mayfly-protocol(?:\/([\w-]+))?\1/g,
      (_, quote, module = 'index') => `${quote}${own}/${module}.js${quote}`,
    );
    if (changed !== text) writeFileSync(file, changed);
  }
}
