// Installs the Node versions that tests use from npm into node_modules/.cache. As a command, installs those that its
// arguments name (oldest, image, newest), or all.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf, refuse } from './options.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = `node-${process.platform}-${process.arch}`;
const NPM = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };

/** The tested versions of Node. `null` means the current version of npm's package `node`. */
export const TESTED = { oldest: '20.19.0', image: '24.21.0', newest: null };

const homeOf = (name) => path.join(ROOT, 'node_modules/.cache/nodes', name);

export const binOf = (name) => path.join(homeOf(name), 'node_modules', PACKAGE, 'bin');

/** Installs a Node unless it is installed, and returns its version. */
export function installNode(name) {
  const version = TESTED[name] ?? execFileSync('npm', ['view', 'node', 'version'], NPM).trim();
  const manifest = path.join(homeOf(name), 'node_modules', PACKAGE, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return version;
  mkdirSync(homeOf(name), { recursive: true });
  // Adds the newest npm to the newest Node, as Node's releases do. Node's npm package contains no npm.
  const packages = [`${PACKAGE}@${version}`, ...(TESTED[name] === null ? ['npm@latest'] : [])];
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', homeOf(name), ...packages], NPM);
  return version;
}

/** Returns environment variables with this Node and its npm first on the path. */
export function environmentOf(name) {
  const folders = [binOf(name), path.join(homeOf(name), 'node_modules/.bin'), process.env.PATH];
  return { ...process.env, PATH: folders.join(path.delimiter) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = Object.keys(TESTED);
  const { positionals } = optionsOf(`Usage: node tools/nodes.js [${all.join('|')}]...`, {}, true);
  const unknown = positionals.find((name) => !all.includes(name));
  if (unknown !== undefined) refuse(`Unknown Node "${unknown}"`);
  for (const name of positionals.length > 0 ? positionals : all) console.log(`${name}: Node ${installNode(name)}`);
}
