// The Node versions that Mayfly is tested on, and their binaries, which npm has for Linux. They are installed into the
// cache folder of this clone. As a command, it installs all of them, or those that it is given: oldest, image, newest.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = `node-${process.platform}-${process.arch}`;
const NPM = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };

/** `null` is what npm's package `node` has on the day: a newcomer installs that. */
export const TESTED = { oldest: '20.19.0', image: '24.21.0', newest: null };

const homeOf = (name) => path.join(ROOT, 'node_modules/.cache/nodes', name);

export const binOf = (name) => path.join(homeOf(name), 'node_modules', PACKAGE, 'bin');

/** Installs a Node, unless it is there, and returns its version. Throws where npm has none for this machine. */
export function installNode(name) {
  const version = TESTED[name] ?? execFileSync('npm', ['view', 'node', 'version'], NPM).trim();
  const manifest = path.join(homeOf(name), 'node_modules', PACKAGE, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return version;
  mkdirSync(homeOf(name), { recursive: true });
  // The newest Node comes with the newest npm.
  const packages = [`${PACKAGE}@${version}`, ...(TESTED[name] === null ? ['npm@latest'] : [])];
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', homeOf(name), ...packages], NPM);
  return version;
}

/** The environment in which programs that start Node, or npm, by its name get this one. */
export function environmentOf(name) {
  const folders = [binOf(name), path.join(homeOf(name), 'node_modules/.bin'), process.env.PATH];
  return { ...process.env, PATH: folders.join(path.delimiter) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2);
  for (const name of given.length > 0 ? given : Object.keys(TESTED)) console.log(`${name}: Node ${installNode(name)}`);
}
