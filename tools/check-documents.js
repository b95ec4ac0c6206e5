// Checks that the links, headings, files, npm scripts, decisions, flags and variables in documents exist, and
// that no command runs a stranger's package: someone else owns the npm package `mayfly`, which `npx mayfly` downloads
// and runs unless ours is installed. Exits with 1 and a line for each breach.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
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
const DOCS_URL = /\bdocs(?:Url|_url)\(['"]([\w/-]+)(?:#([\w-]+))?['"]\)/g;
const SCRIPT = /\bnpm run (?:--?\w+ )*([a-z][\w:-]*)/g;
const FLAG = /(?<![\w-])--([a-z][a-z-]*[a-z])/g;
const VARIABLE = /\b(MAYFLY_[A-Z_]*[A-Z])\b/g;

/** Flags of other programs, and variables and a script that readers choose themselves. */
const OTHERS_FLAGS =
  'cap-drop compressed data-urlencode detach experimental-vm-modules interrupt-budget mail-from mail-rcpt now proxy-header replicaof repo retry-connrefused retry-delay security-opt webhook-url webroot';
const READERS_VARIABLES = ['MAYFLY_KEY', 'MAYFLY_WEBHOOK_URL'];
const READERS_SCRIPT = 'app';

/** A command that installs or runs packages. STRANGER matches one named `mayfly`, which someone else owns. */
const BRINGS =
  /\b(?:npm (?:i|install|add|exec|x)|npx (?:-\S+ )+|pnpm (?:add|install|i|dlx)|yarn (?:add|dlx)|bun (?:add|x)|bunx)\b(?<rest>[^`"';&|)\n]*)/g;
const STRANGER = /(?<![\w/@.-])mayfly(?:@[\w.^~*-]+)?(?![\w/@.-])/;
const IMPORTED = /\bnpx mayfly@|\b(?:from|import|require\()\s*\(?['"]mayfly['"]/;
/** A command that runs our installed package. INSTALLED matches a text that installs it. */
const RUNS = /\bnpx mayfly(?![\w@-])/;
const INSTALLED =
  /\bnpm ci\b|\bnpm (?:i|install|add)\b[^`\n]*\bmayfly-(?:inbox|client)\b|\bmayfly-(?:inbox|client)\b[^\n]* (?:is|are) installed\b/;
/** The command `mayfly` without `npx`, which works only after a global installation. */
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
    scripts: new Set([...source.matchAll(/^ {4}"([\w:-]+)": "/gm)].map(([, name]) => name)).add(READERS_SCRIPT),
    words: new Set([...(source.match(/[a-z][a-z-]*[a-z]/g) ?? []), ...OTHERS_FLAGS.split(' ')]),
    variables: new Set([...(source.match(VARIABLE) ?? []), ...READERS_VARIABLES]),
  };
  return files
    .filter((file) => CITING.test(file) || READ.test(file))
    .flatMap((file) => {
      const lines = textOf(file).split('\n');
      return [...lineBreaches(base, file, lines, known), ...(READ.test(file) ? commandBreaches(file, lines) : [])];
    });
}

function lineBreaches(base, file, lines, known) {
  const rules = rulesFor(base, file, known);
  return lines.flatMap((line, at) =>
    rules
      .flatMap(([pattern, faultOf]) => [...line.matchAll(pattern)].map(([, ...parts]) => faultOf(...parts)))
      .filter(Boolean)
      .map((fault) => `${file}:${at + 1}: ${fault}`),
  );
}

/** Returns rules, each an expression that finds references and a function that returns a sentence for a wrong one. */
function rulesFor(base, file, { decisions, scripts, words, variables }) {
  const isOption = (name) => words.has(name) || words.has(name.replace(/^no-/, ''));
  const optionOf = (variable) => variable.toLowerCase().replace('mayfly_', '').replaceAll('_', '-');
  const rules = [[DECISION, (number) => !decisions.has(number) && `there is no decision D${number} in ${DECISIONS}`]];
  if (SOURCE.test(file)) rules.push([DOCS_URL, (page, anchor) => targetFault(base, `docs/${page}.md`, anchor)]);
  if (!file.endsWith('.md') || /^CHANGELOG|\/test\//.test(file)) return rules;
  return [
    ...rules,
    [LINK, (name, anchor) => targetFault(base, name ? path.join(path.dirname(file), name) : file, anchor)],
    [FILE, (name) => !MADE.test(name) && targetFault(base, name)],
    [SCRIPT, (name) => !scripts.has(name) && `no package has the script ${name}`],
    [FLAG, (name) => !isOption(name) && `no command has the flag --${name}`],
    [VARIABLE, (name) => !variables.has(name) && !isOption(optionOf(name)) && `no code reads ${name}`],
  ];
}

function targetFault(base, name, anchor) {
  const target = path.join(base, name);
  if (!existsSync(target)) return `there is no ${name}`;
  if (anchor === undefined || !name.endsWith('.md')) return null;
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor) ? null : `there is no heading #${anchor} in ${name}`;
}

function anchorsOf(text) {
  const slugger = new GithubSlugger();
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );
  return new Set(headings.map((heading) => slugger.slug(heading)));
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
