// Checks what the code, the tests and the documents refer to: each decision (`D13`) stands in docs/decisions.md, each
// section of the interface in docs/interface.md, each file that a document names in backticks or links to is there,
// with the heading that a link leads to, each npm script that a document names, each file that a comment names, and
// nothing refers to documents that are not part of the project. Exits with 1 and a line for each breach.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What may refer to something. Corpora hold mail of others; made and locked files speak for others too. */
const CITING = /\.(?:[cm]?[jt]sx?|md|json|txt|html|css)$/;
const NOT_CITING = /(?:^|\/)package-lock\.json$|^tools\/(?:test\/)?check-citations(?:\.test)?\.js$/;

const DECISIONS = 'docs/decisions.md';
const INTERFACE = 'docs/interface.md';

/** `D13` as a word of its own. */
const DECISION = /(?<![\w/#.-])D(\d{1,3})(?![\w-])/g;

/** `interface section 4.2`, also of several: `interface sections 5 and 8`. */
const SECTIONS = /\binterface sections? ((?:\d{1,2}(?:\.\d{1,2})?)(?:(?:, | and |, and )\d{1,2}(?:\.\d{1,2})?){0,8})/g;

/** Notes that the project was made from and that no reader of it has. */
const FOREIGN = /\b(?:spec|design)\.md\b|\b(?:design|spec) (?:D\d|section)/;

/** A path in backticks: at least one slash and a file's ending, or a folder of the project. */
const PATH_IN_BACKTICKS = /`((?:[\w@.-]+\/)+[\w.-]*|[\w-]+\.(?:[cm]?[jt]sx?|md|json))`/g;

/** A link to a file of the project, to a heading of one, or to one of the same document. */
const LINK = /\]\((?!https?:|mailto:)([^()\s#]*)(?:#([^()\s]+))?/g;

/** A script of npm, as somebody is told to run it. */
const SCRIPT = /\bnpm run (?:--?\w+ )*([a-z][\w:-]*)/g;

/** A source file that a comment names by its path or its bare name. */
const NAMED_IN_COMMENT =
  /(?<![\w./*-])((?:\.\.?\/)*(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|lua|md))(?![\w-]|\.\w)/g;
const SOURCE = /^(?:packages|plugins)\/[\w-]+\/src\/.*\.[cm]?tsx?$|^(?:tools|bench)\/.*\.js$/;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

/**
 * What no commit holds: files that the build or the release makes, an example of what Vite calls one, and the name of
 * Node.
 */
const MADE = /(?:^|\/)(?:dist\/.*|(?:lua|words)\.ts|notes\.md|index-1a2b\.js|Node\.js)$/;

/** A script of the reader's own project, in an example. */
const READERS_SCRIPTS = ['app'];

/** Documents and comments may leave out what goes in front of every path that they name. */
const FOLDERS = [
  '.',
  'packages/server/src',
  'packages/mail/src',
  'server',
  'cli',
  'client',
  'web',
  'docs',
  'packages/cli/src',
  'packages/client/src',
  'packages/protocol/src',
  'packages/web/src',
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const files = tracked.split('\n').filter((file) => file !== '' && existsSync(file));
  const { citations, breaches } = checkCitations('.', files);
  for (const breach of breaches) console.error(breach);
  console.log(`citations: ${citations} of decisions and sections, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Checks the named files of a folder. Returns how many citations there are, and a sentence for each breach. */
export function checkCitations(base, files) {
  const known = {
    decisions: numbersOf(base, DECISIONS, /^### D(\d+)\. /),
    sections: numbersOf(base, INTERFACE, /^##+ (\d+(?:\.\d+)?)[. ]/),
  };
  const names = new Set(files.map((file) => path.basename(file)));
  const there = { files: new Set(files), names, scripts: scriptsOf(base, files) };
  const breaches = [...gapsIn(known.decisions)];
  let citations = 0;
  for (const file of files.filter((name) => CITING.test(name) && !NOT_CITING.test(name))) {
    for (const [at, line] of readFileSync(path.join(base, file), 'utf8').split('\n').entries()) {
      const cited = citedIn(line);
      citations += cited.decisions.length + cited.sections.length;
      const found = [...lineBreaches(line, cited, known), ...namedBreaches(base, file, line, there)];
      for (const what of found) breaches.push(`${file}:${at + 1}: ${what}`);
    }
  }
  return { citations, breaches };
}

function numbersOf(base, file, heading) {
  const lines = readFileSync(path.join(base, file), 'utf8').split('\n');
  return lines.flatMap((line) => heading.exec(line)?.[1] ?? []);
}

/** The scripts of every package of the project. */
function scriptsOf(base, files) {
  const manifests = files.filter((file) => path.basename(file) === 'package.json');
  const own = manifests.flatMap((file) => {
    return Object.keys(JSON.parse(readFileSync(path.join(base, file), 'utf8')).scripts ?? {});
  });
  return new Set([...own, ...READERS_SCRIPTS]);
}

/** Whether a comment names a file: any file by its bare name, or one by a path from beside the comment or `FOLDERS`. */
function isThere(name, file, { files, names }) {
  if (MADE.test(name) || (!name.includes('/') && names.has(name))) return true;
  return [path.dirname(file), ...FOLDERS].some((folder) => files.has(path.posix.join(folder, name)));
}

/** The anchors of a document's headings, as GitHub makes them of the text. */
function anchorsOf(text) {
  const headings = text.split('\n').flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  const seen = new Map();
  return new Set(
    headings.map((heading) => {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = plain.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
      const count = seen.get(anchor) ?? 0;
      seen.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

function gapsIn(decisions) {
  const numbers = decisions.map(Number);
  const missing = Array.from({ length: Math.max(...numbers) }, (_, at) => at + 1).filter(
    (number) => !numbers.includes(number),
  );
  const doubled = numbers.filter((number, at) => numbers.indexOf(number) !== at);
  return [
    ...missing.map((number) => `${DECISIONS}: D${number} is missing`),
    ...doubled.map((number) => `${DECISIONS}: D${number} stands twice`),
  ];
}

function citedIn(line) {
  return {
    decisions: [...line.matchAll(DECISION)].map(([, number]) => number),
    sections: [...line.matchAll(SECTIONS)].flatMap(([, numbers]) => numbers.match(/\d{1,2}(?:\.\d{1,2})?/g)),
  };
}

function* lineBreaches(line, cited, known) {
  for (const number of cited.decisions) {
    if (!known.decisions.includes(number)) yield `there is no decision D${number} in ${DECISIONS}`;
  }
  for (const number of cited.sections) {
    if (!known.sections.includes(number)) yield `there is no section ${number} in ${INTERFACE}`;
  }
  const foreign = FOREIGN.exec(line);
  if (foreign) yield `"${foreign[0]}" is not part of the project`;
}

/** What a line of a document, or a comment, names and is not there. */
function* namedBreaches(base, file, line, there) {
  if (file.endsWith('.md')) {
    for (const name of pathsIn(base, file, line, there.names)) yield `there is no ${name}`;
    for (const [, name] of line.matchAll(SCRIPT))
      if (!there.scripts.has(name)) yield `no package has the script ${name}`;
  } else if (SOURCE.test(file) && COMMENT.test(line)) {
    for (const [, name] of line.matchAll(NAMED_IN_COMMENT))
      if (!isThere(name, file, there)) yield `there is no ${name}`;
  }
}

/**
 * The files that a line of a document names and that are neither beside it nor in one of `FOLDERS`. `names` has the
 * bare name of each file.
 */
function* pathsIn(base, file, line, names) {
  for (const [, name, anchor] of line.matchAll(LINK)) {
    const target = name === '' ? path.join(base, file) : path.join(base, path.dirname(file), name);
    if (!existsSync(target)) yield name;
    else if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).has(anchor)) {
      yield `heading #${anchor} in ${name || file}`;
    }
  }
  for (const [, name] of line.matchAll(PATH_IN_BACKTICKS)) {
    // A bare name may be that of any file.
    if (names.has(name) || !isOfProject(base, name)) continue;
    if (![path.dirname(file), ...FOLDERS].some((folder) => existsSync(path.join(base, folder, name)))) yield name;
  }
}

/** Whether a path looks like one of ours, and not like a media type, an address or the name of a package. */
function isOfProject(base, name) {
  if (/\.[cm]?[jt]sx?$|\.md$|\.json$/.test(name)) return true;
  const [first] = name.split('/');
  return FOLDERS.some((folder) => first !== '' && existsSync(path.join(base, folder, first)));
}
