// Finishes the compiler's build of the client. Removes the output of deleted sources. Marks the second build
// (client/tsconfig.cjs.json) as CommonJS, because its files have the same names as those of the first. Joins the
// command line into one file, client/dist/bin/mayfly.js, for client/bin/mayfly.js: Node reads one file sooner than
// forty.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const DIST = 'client/dist';
const COMMAND_LINE = 'cli/dist';
const SOURCES = 'client/src';
const COMMAND = path.join(DIST, 'bin/mayfly.js');
const COMMON_JS = '{ "type": "commonjs" }\n';

removeStale(DIST);
removeStale(path.join(DIST, 'cjs'));
mkdirSync(path.dirname(COMMAND), { recursive: true });
for (const folder of ['cjs', 'bin']) writeFileSync(path.join(DIST, folder, 'package.json'), COMMON_JS);
if (!isUpToDate()) await joinCommandLine();

/** The compiler leaves the output of deleted sources, which would be published. */
function removeStale(folder) {
  for (const name of readdirSync(folder)) {
    const source = path.join(SOURCES, name.replace(/(?:\.d\.ts|\.js)$/, '.ts'));
    if (/\.(?:ts|js|map)$/.test(name) && !existsSync(source)) rmSync(path.join(folder, name));
  }
}

function isUpToDate() {
  const made = statSync(COMMAND, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const compiled = [DIST, COMMAND_LINE].flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  const sources = [...compiled.filter((name) => name.endsWith('.js')), 'tools/build-client.js'];
  return sources.every((file) => statSync(file).mtimeMs < made);
}

async function joinCommandLine() {
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
