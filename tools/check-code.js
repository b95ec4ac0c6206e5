// Checks of the code that no other tool makes: file names of the service that stand twice, code in comments, wide
// comments, skipped tests, and styles. Exits with 1 and a line for each breach.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { lineOf, propertyName, readSources, walk } from './source-files.js';
import { styleBreaches } from './styles.js';

const WORKSPACES = [
  ...[
    'packages/cli',
    'packages/client',
    'packages/mail',
    'packages/mcp',
    'packages/protocol',
    'packages/server',
    'packages/web',
  ],
  ...['plugins/catchers', 'plugins/send-apis'],
];
const OTHERS = ['action', 'bench', 'tools', 'examples'];

/** The formatter keeps code within so many columns, but no comment. */
const MAX_COLUMNS = 120;

/** Where comments keep within them, too: everywhere but in tests and examples. */
const NARROW = /^(?:(?:packages|plugins)\/[\w-]+\/src|packages\/server\/bin|tools|bench)\//;

/** Code holds one of these, and prose nearly never parses. */
const CODE = /[;{(=]/;

/** Prose that a parser takes for code, and comments for tools. */
const NO_CODE = /^(?:\/|\s*(?:@|biome-ignore|<reference|https?:))/;

const SKIPS = ['skip', 'skipIf', 'runIf', 'todo'];

/** Names that several files of packages/server/src have, and why each is right where it stands. */
const SAME_NAMES = {
  'connection.ts': 'a client of SMTP, and a server of Redis',
  'rows.ts': 'each store has its own rows',
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, breaches } = checkCode('.');
  for (const breach of breaches) console.error(breach);
  console.log(`code: ${files} files, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Checks the tree in a folder. Returns how many files it looked at, and a sentence for each breach. */
export function checkCode(base, sameNames = SAME_NAMES) {
  const sources = readSources(base);
  const roots = [...WORKSPACES.map((workspace) => `${workspace}/test`), ...OTHERS];
  const others = roots.filter((root) => existsSync(path.join(base, root))).flatMap((root) => readSources(base, [root]));
  const tests = others.filter((source) => /(?:^|\/)test\//.test(source.path));
  return {
    files: sources.length + others.length,
    breaches: [
      ...nameBreaches(sources, sameNames),
      ...[...sources, ...others].flatMap(commentBreaches),
      ...[...sources, ...others].filter(({ path: file }) => NARROW.test(file)).flatMap(columnBreaches),
      ...tests.filter(({ path: file }) => /\.[jt]s$/.test(file)).flatMap(skipBreaches),
      ...styleBreaches(base, sources),
    ],
  };
}

/** A name tells a reader which file is meant only if no other file has it. */
function nameBreaches(sources, sameNames) {
  const files = new Map();
  for (const { path: file } of sources.filter((source) => source.path.startsWith('packages/server/src/'))) {
    const name = path.posix.basename(file);
    files.set(name, [...(files.get(name) ?? []), file]);
  }
  const doubled = [...files].filter(([, same]) => same.length > 1);
  return [
    ...doubled
      .filter(([name]) => !Object.hasOwn(sameNames, name))
      .map(([name, same]) => `${name} is the name of several files: ${same.join(', ')}`),
    ...Object.keys(sameNames)
      .filter((name) => !doubled.some(([other]) => other === name))
      .map((name) => `${name} is excepted in tools/check-code.js, but not the name of several files`),
  ];
}

/** Comments of one line that follow each other are one text. */
function commentBreaches(source) {
  const texts = [];
  for (const { type, value, start, end } of source.comments) {
    const last = texts.at(-1);
    const isNext = type === 'Line' && last?.type === 'Line' && /^\s*$/.test(source.text.slice(last.end, start));
    if (isNext) Object.assign(last, { value: `${last.value}\n${value}`, end });
    else texts.push({ type, value, start, end });
  }
  return texts
    .filter(({ value }) => !NO_CODE.test(value) && CODE.test(value) && isCode(value.replace(/^\s*\*/gm, '')))
    .map(({ start }) => `${source.path}:${lineOf(source, start)}: a comment that is code`);
}

function isCode(text) {
  const { program, errors } = parseSync('comment.ts', text);
  return errors.length === 0 && program.body.length > 0;
}

/** A comment for a tool stands in one line, however long. */
function columnBreaches(source) {
  const lines = source.text.split('\n');
  return source.comments.flatMap(({ value, start, end }) => {
    if (NO_CODE.test(value)) return [];
    const [first, last] = [start, end].map((offset) => lineOf(source, offset));
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
      .filter((line) => lines[line - 1].length > MAX_COLUMNS)
      .map((line) => `${source.path}:${line}: a comment in more than ${MAX_COLUMNS} columns`);
  });
}

/** A test that is left out for another reason than the reporter can tell. */
function skipBreaches({ path: file, program, ...source }) {
  const found = [];
  walk(program, (node) => {
    if (node.type === 'MemberExpression' && SKIPS.includes(propertyName(node))) found.push(lineOf(source, node.start));
  });
  return found.map((line) => `${file}:${line}: a test is skipped by tools/needs.js, so that the run says why`);
}
