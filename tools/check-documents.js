// Checks that the links, headings, files, npm scripts, decisions, flags and variables in documents exist, and
// that no command runs a stranger's package: someone else owns the npm package `mayfly`, which `npx mayfly` downloads
// and runs unless ours is installed. Exits with 1 and a line for each breach.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { trackedFiles } from './needs.js';

const DECISIONS = 'docs/internals/decisions.md';
const CITING = /\.(?:[cm]?[jt]sx?|md|py|txt|html|css)$/;
const SOURCE = /^(?!.*\/test\/).*\.(?:[cm]?[jt]sx?|py|json|sh|ya?ml)$/;

const READ = /\.(?:md|ya?ml)$|^packages\/(?:cli|client|server|mcp)\/src\/.*\.ts$|^(?:examples|action)\/|Dockerfile$/;

const DECISION = /(?<![\w/#.-])D(\d{1,3})(?![\w-])/g;
/** A link to a file or a heading. */
const LINK = /\]\((?!https?:|mailto:)([^()\s#]*)(?:#([^()\s]+))?/g;
const FILE = /`((?:(?:packages|plugins|clients|tools|bench|deploy|examples|action|docs)\/[\w@.-]+\/?)[\w@./-]*)`/g;
const MADE = /\/(?:dist|bundle|api|page)(?:\/|$)|\/sbom\.cdx\.json$|node_modules/;
/** A page that a message links to, as in `docsUrl('isolation#private-inboxes')`. */
const DOCS_URL = /\bdocs(?:Url|_url)\(['"](?<page>[\w/-]+)(?:#(?<anchor>[\w-]+))?['"]\)/g;
const SCRIPT = /\bnpm run (?:--?\w+ )*([a-z][\w:-]*)/g;
const FLAG = /(?<![\w-])--([a-z][a-z-]*[a-z])/g;
const VARIABLE = /\bMAYFLY_[A-Z_]*[A-Z]\b/g;

/** Flags of other programs. READERS are names that readers choose themselves. */
const OTHERS_FLAGS =
  'cap-drop compressed data-urlencode detach experimental-vm-modules interrupt-budget mail-from mail-rcpt now proxy-header replicaof retry-connrefused retry-delay security-opt webhook-url webroot';
const READERS = ['app', 'MAYFLY_KEY', 'MAYFLY_WEBHOOK_URL'];

/** A command that installs or runs packages. STRANGER finds in it the package `mayfly`, which is someone else's. */
const BRINGS =
  /\b(?:npm (?:i|install|add|exec|x)|npx (?:-\S+ )+|pnpm (?:add|install|i|dlx)|yarn (?:add|dlx)|bun (?:add|x)|bunx)\b(?<rest>[^`"';&|)\n]*)/g;
const STRANGER = /(?<![\w/@.-])mayfly(?:@[\w.^~*-]+)?(?![\w/@.-])/;
const IMPORTED = /\bnpx mayfly@|\b(?:from|import|require\()\s*\(?['"]mayfly['"]/;
/** A command that runs our installed package. INSTALLED matches a text that installs it. */
const RUNS = /\bnpx mayfly(?![\w@-])/;
const INSTALLED =
  /\bnpm ci\b|\bnpm (?:i|install|add)\b[^`\n]*\bmayfly-(?:inbox|client)\b|\bmayfly-(?:inbox|client)\b[^\n]* (?:is|are) installed\b/;
/** The bare command, which works only after a global installation. */
const BARE = /^\s*(?:\$ )?mayfly [a-z-]|\$\(mayfly /;
const SHELL = /^\s*```(?:sh|bash|shell|console)\b/;
const FENCE = /^\s*```/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = trackedFiles('documents', '--cached', '--others', '--exclude-standard');
  const breaches = checkDocuments('.', files);
  for (const breach of breaches) console.error(breach);
  console.log(`documents: ${files.length} files, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

export function checkDocuments(base, files) {
  const textOf = (file) => readFileSync(path.join(base, file), 'utf8');
  const source = files
    .filter((file) => SOURCE.test(file))
    .map(textOf)
    .join('\n');
  const known = {
    decisions: new Set([...textOf(DECISIONS).matchAll(/^### D(\d+)\./gm)].map(([, number]) => number)),
    scripts: new Set([...source.matchAll(/^ {4}"([\w:-]+)": "/gm)].map(([, name]) => name)),
    words: new Set([...(source.match(/[a-z][a-z-]*[a-z]/g) ?? []), ...OTHERS_FLAGS.split(' ')]),
    variables: new Set(source.match(VARIABLE)),
  };
  return files
    .filter((file) => CITING.test(file) || READ.test(file))
    .flatMap((file) => {
      const lines = textOf(file).split('\n');
      return [...lineBreaches(base, file, lines, known), ...(READ.test(file) ? commandBreaches(file, lines) : [])];
    });
}

function lineBreaches(base, file, lines, known) {
  const isDocument = file.endsWith('.md') && !/^CHANGELOG|\/test\//.test(file);
  return lines.flatMap((line, at) => {
    const all = (pattern) => [...line.matchAll(pattern)].map(([whole, name = whole]) => name);
    const variable = (name) => name.toLowerCase().replace('mayfly_', '').replaceAll('_', '-');
    const undecided = all(DECISION).filter((number) => !known.decisions.has(number));
    const wrong = undecided.map((number) => `there is no decision D${number} in ${DECISIONS}`);
    if (SOURCE.test(file)) wrong.push(...pageBreaches(base, line));
    if (isDocument) {
      const missing = all(FILE).filter((name) => !MADE.test(name) && !existsSync(path.join(base, name)));
      const scripts = all(SCRIPT).filter((name) => !known.scripts.has(name) && !READERS.includes(name));
      const flags = all(FLAG).filter((name) => !known.words.has(name) && !known.words.has(name.replace(/^no-/, '')));
      const variables = all(VARIABLE).filter(
        (name) => !known.variables.has(name) && !known.words.has(variable(name)) && !READERS.includes(name),
      );
      wrong.push(...missing.map((name) => `there is no ${name}`), ...linkBreaches(base, file, line));
      wrong.push(...scripts.map((name) => `no package has the script ${name}`));
      wrong.push(...flags.map((name) => `no command has the flag --${name}`));
      wrong.push(...variables.map((name) => `no code reads ${name}`));
    }
    return wrong.map((sentence) => `${file}:${at + 1}: ${sentence}`);
  });
}

function linkBreaches(base, file, line) {
  return [...line.matchAll(LINK)].flatMap(([, name, anchor]) =>
    targetBreaches(
      name === '' ? path.join(base, file) : path.join(base, path.dirname(file), name),
      name || file,
      anchor,
    ),
  );
}

function pageBreaches(base, line) {
  return [...line.matchAll(DOCS_URL)].flatMap(([, page, anchor]) =>
    targetBreaches(path.join(base, 'docs', `${page}.md`), `docs/${page}.md`, anchor),
  );
}

function targetBreaches(target, name, anchor) {
  if (!existsSync(target)) return [`there is no ${name}`];
  if (anchor === undefined || !target.endsWith('.md')) return [];
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? [] : [`there is no heading #${anchor} in ${name}`];
}

/** Returns the anchor that GitHub makes for a heading. */
export function anchorOf(text) {
  const kept = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '');
  return kept.replaceAll(' ', '-');
}

function anchorsOf(text) {
  const seen = new Map();
  return new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => {
      const anchor = anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

function commandBreaches(file, lines) {
  let isInstalled = false;
  let inShell = false;
  return lines.flatMap((line, at) => {
    if (FENCE.test(line)) inShell = !inShell && SHELL.test(line);
    isInstalled ||= INSTALLED.test(line);
    const sentence = commandBreach(line, isInstalled, inShell);
    return sentence === null ? [] : [`${file}:${at + 1}: ${sentence}`];
  });
}

function commandBreach(line, isInstalled, inShell) {
  if (IMPORTED.test(line) || [...line.matchAll(BRINGS)].some(({ groups }) => STRANGER.test(groups.rest)))
    return 'someone else owns the npm package "mayfly"; ours are mayfly-inbox and mayfly-client';
  if (RUNS.test(line) && !isInstalled)
    return '"npx mayfly" downloads another package if ours is not installed: write "npx mayfly-inbox", or install ours first';
  return inShell && BARE.test(line) ? '"mayfly" is not on the path: write "npx mayfly" or "npx mayfly-inbox"' : null;
}
