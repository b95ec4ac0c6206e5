// Installs what tests need besides Node and npm, as root, on Debian: "node tools/install.js NAME…". A NAME is a need in
// tools/needs.yaml, or a test file, for all of its needs. Exits with 1 and a line for each need that is still missing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { missingOf, NEEDS, needsOf } from './needs.js';
import { optionsOf, refuse } from './options.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function install(names) {
  const missing = missingOf(names);
  const packages = [...new Set(missing.flatMap(({ packages = '' }) => packages.split(' ').filter(Boolean)))];
  const commands = [...new Set(missing.flatMap(({ command = [] }) => command))];
  if (packages.length > 0 || commands.some((command) => command.includes('apt-get'))) shell('apt-get update -qq');
  if (packages.length > 0) shell(`apt-get install -y -qq --no-install-recommends ${packages.join(' ')} > /dev/null`);
  mkdirSync(`${ROOT}/node_modules/.cache`, { recursive: true });
  // Ignores failures, because each need that is still missing is listed at the end.
  for (const command of commands) shell(command);
  return missingOf(names).map(({ described }) => `Could not install ${described}.`);
}

/** Runs a command in the root folder, and returns its exit code. */
export function shell(command, variables = { DEBIAN_FRONTEND: 'noninteractive' }) {
  const env = { ...process.env, ...variables };
  return spawnSync('bash', ['-c', command], { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] }).status;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const known = Object.keys(NEEDS).sort().join(', ');
  const { positionals } = optionsOf(`Usage: node tools/install.js NAME|TEST...\n\nNames: ${known}.`, {}, true);
  const names = positionals.flatMap((name) => (existsSync(name) ? needsOf(name) : name));
  const unknown = names.filter((name) => !Object.hasOwn(NEEDS, name));
  if (unknown.length > 0) refuse(`Unknown: ${unknown.join(', ')}. Give a test file or one of: ${known}`);
  const failures = install(names);
  for (const failure of failures) console.error(failure);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
