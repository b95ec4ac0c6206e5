// Finishes the compiler's build of the client. Removes the output of deleted sources. Marks the second build
// (packages/client/tsconfig.cjs.json) as CommonJS, because its files have the same names as those of the first. Joins
// the command line into one file, packages/client/dist/bin/mayfly.js, for packages/client/bin/mayfly.js: Node reads one
// file sooner than forty.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isUpToDate } from './up-to-date.js';

const DIST = 'packages/client/dist';
const COMMAND_LINE = 'packages/cli/dist';
const SOURCES = 'packages/client/src';
const COMMAND = path.join(DIST, 'bin/mayfly.js');
const COMMON_JS = '{ "type": "commonjs" }\n';

removeStale(DIST);
removeStale(path.join(DIST, 'cjs'));
mkdirSync(path.dirname(COMMAND), { recursive: true });
for (const folder of ['cjs', 'bin']) writeFileSync(path.join(DIST, folder, 'package.json'), COMMON_JS);
if (!isUpToDate(COMMAND, [...modulesIn(DIST), COMMAND_LINE, 'tools/build-client.js'])) await joinCommandLine();

/** The compiler leaves the output of deleted sources, which would be published. */
function removeStale(folder) {
  for (const name of readdirSync(folder)) {
    const source = path.join(SOURCES, name.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
    if (/\.(?:ts|js|map)$/.test(name) && !existsSync(source)) rmSync(path.join(folder, name));
  }
}

/** Without those of the second build, and without what this step makes. */
function modulesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name));
}

async function joinCommandLine() {
  // It takes longer to load than all else here.
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
      rolldownOptions: { input: path.join(COMMAND_LINE, 'main.js'), output: { format: 'cjs', codeSplitting: false } },
    },
  });
  writeFileSync(COMMAND, output[0].code);
}
