// Finishes the compiler's build of the client. Copies packages/protocol, which client and service share, next to it, so
// that the published package needs no other package. Marks the second build (packages/client/tsconfig.cjs.json) as
// CommonJS, because its files have the same names as those of the first build. With --command, joins the command line
// into one file, which Node reads faster than forty files.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isUpToDate, joinModules } from './build.js';

const DIST = 'packages/client/dist';
const PROTOCOL = 'packages/protocol/dist';
const COMMAND_LINE = 'packages/cli/dist';
const SOURCES = 'packages/client/src';
const COMMAND = path.join(DIST, 'bin/mayfly.js');
const COMMON_JS = '{ "type": "commonjs" }\n';

/** The copy of packages/protocol. It is not in DIST, where removeStale expects a source for each file. */
const SHARED = 'packages/client/protocol';

/** Subfolders of DIST that are not part of the first build: the command line and the second build. */
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

/** Removes the output of deleted sources, so that it is not published. The compiler leaves it there. */
function removeStale(folder) {
  for (const name of compiledIn(folder)) {
    const source = path.join(SOURCES, name.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
    if (!existsSync(source)) rmSync(path.join(folder, name));
  }
}

/**
 * Copies the shared modules next to a build, and makes its files import the copies. Keeps files that are up to date,
 * because one test may pack the client, which builds it, while another reads its files.
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
