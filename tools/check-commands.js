// Checks the commands that we tell people to run. The npm package `mayfly` belongs to someone else, and `npx mayfly` is
// our command only if one of our packages is installed: elsewhere it downloads a stranger's program and runs it.
// Looks through all documents, the help of the command line, workflows and examples. Exits with 1 and a line for each
// breach.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Texts that people read and copy: documents, messages, and files to take over. */
const READ =
  /\.(?:md|ya?ml)$|^packages\/(?:cli|client|server|mcp)\/src\/.*\.ts$|^(?:examples|action)\/|(?:^|\/)Dockerfile$/;

/** Commands that install or run a package by its name. */
const BRINGS =
  /\b(?:npm (?:i|install|add|exec|x)|npx (?:-\S+ )+|pnpm (?:add|install|i|dlx)|yarn (?:add|dlx)|bun (?:add|x)|bunx)\b(?<rest>[^`"';&|)\n]*)/g;

/** The other package `mayfly`, as a word of its own and with any version. */
const STRANGER = /(?<![\w/@.-])mayfly(?:@[\w.^~*-]+)?(?![\w/@.-])/;

/** Its version can be asked for only where the package is meant. */
const VERSIONED = /\bnpx mayfly@/;

const IMPORTED = /\b(?:from|import|require\()\s*\(?['"]mayfly['"]/;

/** Runs a package that is installed in the project. */
const RUNS = /\bnpx mayfly(?![\w@-])/;

/** Says how it got there: one of our packages was installed, or all that a clone of this repository has. */
const INSTALLED =
  /\bnpm ci\b|\bnpm (?:i|install|add)\b[^`\n]*\bmayfly-(?:inbox|client)\b|\bmayfly-(?:inbox|client)\b[^\n]* (?:is|are) installed\b/;

/** A line of a shell that calls the command bare: only a global installation would have it. */
const BARE = /^\s*(?:\$ )?mayfly [a-z-]|\$\(mayfly /;

const SHELL = /^\s*```(?:sh|bash|shell|console)\b/;
const FENCE = /^\s*```/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const files = tracked.split('\n').filter((file) => READ.test(file) && existsSync(file));
  const breaches = files.flatMap((file) => breachesIn(file, readFileSync(path.join('.', file), 'utf8')));
  for (const breach of breaches) console.error(breach);
  console.log(`commands: ${files.length} files, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** A sentence for each line of a file that tells to run something else than it means. */
export function breachesIn(file, text) {
  const breaches = [];
  let isInstalled = false;
  let inShell = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (FENCE.test(line)) inShell = !inShell && SHELL.test(line);
    isInstalled ||= INSTALLED.test(line);
    const what = breachOf(line, isInstalled, inShell);
    if (what !== undefined) breaches.push(`${file}:${at + 1}: ${what}`);
  }
  return breaches;
}

function breachOf(line, isInstalled, inShell) {
  const brings = [...line.matchAll(BRINGS)].some(({ groups }) => STRANGER.test(groups.rest));
  if (brings || VERSIONED.test(line) || IMPORTED.test(line)) {
    return 'the npm package "mayfly" is somebody else\'s: ours are mayfly-inbox and mayfly-client';
  }
  if (RUNS.test(line) && !isInstalled) {
    return '"npx mayfly" runs a stranger\'s program where nothing is installed: write "npx mayfly-inbox", or say first what to install';
  }
  if (inShell && BARE.test(line)) return 'no shell knows "mayfly" by itself: write "npx mayfly" or "npx mayfly-inbox"';
  return undefined;
}
