// Builds everything that is not up to date: the workspaces, the page, and the files generated from the service's code.
// Several npm scripts and Vitest begin with this build, so that no test runs old code.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file that changes when npm installs another version of any package. */
export const PACKAGES = 'node_modules/.package-lock.json';
const ENDINGS = ['.js', '.ts', '.tsx', '.css', '.svg'];

const TSC = ['node_modules/typescript/bin/tsc', '--build'];

/** The build's steps. A slow step names its last output in `makes`, and is skipped if no source is newer. */
const STEPS = [
  { args: ['tools/build-lua.js'] },
  { args: ['tools/build-words.js'] },
  // The client comes first, because the other workspaces use the types that build-client.js puts next to it.
  { args: [...TSC, 'packages/client', 'packages/client/tsconfig.cjs.json'] },
  { args: ['tools/build-client.js'] },
  { args: TSC },
  { args: ['tools/build-client.js', '--command'] },
  { args: ['tools/build-docs.js'] },
  {
    args: ['tools/build-page.js'],
    makes: 'packages/server/page/index.html',
    sources: [
      ...['src', 'index.html', 'package.json'].map((name) => `packages/web/${name}`),
      ...['packages/client/dist', 'packages/client/protocol', PACKAGES, 'tools/build-page.js'],
    ],
  },
  {
    args: ['tools/build-api.js'],
    makes: 'packages/server/api/openapi.json',
    sources: [
      ...['packages/server', 'plugins/failure-simulation', 'plugins/mail-check', 'plugins/mail-import'].flatMap(
        (folder) => [`${folder}/dist`, `${folder}/operations.yaml`],
      ),
      ...['packages/protocol/src', PACKAGES],
      ...['tools/build-api.js', 'tools/operations.js'],
    ],
  },
  { args: ['tools/build-service.js'] },
  { args: ['tools/build-sbom.js'] },
];

export default function build() {
  // Links workspaces that were added since the last `npm install`.
  for (const folder of JSON.parse(readFileSync('package.json', 'utf8')).workspaces) {
    const link = `node_modules/${JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).name}`;
    if (!existsSync(link)) symlinkSync(path.join('..', folder), link, 'dir');
  }
  for (const { args, makes, sources } of STEPS) {
    if (makes !== undefined && isUpToDate(makes, sources)) continue;
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

/** Whether a file is newer than its sources, which are files and folders. */
export function isUpToDate(made, sources) {
  const madeAt = timeOf(made);
  const files = sources.flatMap((source) => filesOf(source));
  return files.every((file) => timeOf(file) < madeAt);
}

function filesOf(source) {
  if (!existsSync(source) || !statSync(source).isDirectory()) return [source];
  const files = readdirSync(source, { recursive: true }).filter((name) => ENDINGS.some((one) => name.endsWith(one)));
  // Includes the folder, because removing a file changes the folder's time.
  return [source, ...files.map((name) => path.join(source, name))];
}

function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export async function bundle(rolldownOptions, plugins = []) {
  // Imported only if needed, because loading Vite takes longer than the rest of an up-to-date build.
  const { build } = await import('vite');
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    plugins,
    build: { ssr: true, write: false, minify: false, target: 'node20', rolldownOptions },
  });
  return output;
}

/** Bundles a program into one file. `more` has further bundler options. */
export async function joinModules(input, more = {}) {
  const [{ code }] = await bundle({ input, output: { format: 'cjs', codeSplitting: false }, ...more });
  return code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
