// Checks of the code that no other tool makes: file names of the service that stand twice, exports and files that
// nothing uses, code in comments, tests that reach into another workspace by a path, timers in tests, and styles.
// Exceptions stand in code-rules.js. Exits with 1 and a line for each breach.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import * as projectRules from './code-rules.js';
import { findImports } from './find-imports.js';
import { findUnused } from './find-unused.js';
import { lineOf, propertyName, readSources, stringOf, walk } from './source-files.js';
import { styleBreaches } from './styles.js';

const WORKSPACES = [
  ...['packages/cli', 'packages/client', 'packages/mcp', 'packages/server', 'packages/web'],
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

const TIMERS = ['setTimeout', 'setInterval', 'scheduler'];

const TIMER_MODULES = /^(?:node:)?timers(?:\/promises)?$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, breaches } = checkCode('.');
  for (const breach of breaches) console.error(breach);
  console.log(`code: ${files} files, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Checks the tree in a folder. Returns how many files it looked at, and a sentence for each breach. */
export function checkCode(base, rules = projectRules) {
  const sources = readSources(base);
  const roots = [...WORKSPACES.map((workspace) => `${workspace}/test`), ...OTHERS];
  const others = roots.filter((root) => existsSync(path.join(base, root))).flatMap((root) => readSources(base, [root]));
  const tests = others.filter((source) => /(?:^|\/)test\//.test(source.path));
  return {
    files: sources.length + others.length,
    breaches: [
      ...nameBreaches(sources, rules),
      ...unusedBreaches(base, sources, others, rules),
      ...[...sources, ...others].flatMap(commentBreaches),
      ...[...sources, ...others].filter(({ path: file }) => NARROW.test(file)).flatMap(columnBreaches),
      ...acrossBreaches(tests, rules),
      ...timerBreaches(tests, rules),
      ...tests.filter(({ path: file }) => /\.[jt]s$/.test(file)).flatMap(skipBreaches),
      ...styleBreaches(base, sources),
    ],
  };
}

/** A name tells a reader which file is meant only if no other file has it. */
function nameBreaches(sources, { SAME_NAMES }) {
  const files = new Map();
  for (const { path: file } of sources.filter((source) => source.path.startsWith('packages/server/src/'))) {
    const name = path.posix.basename(file);
    files.set(name, [...(files.get(name) ?? []), file]);
  }
  const doubled = [...files].filter(([, same]) => same.length > 1);
  return [
    ...doubled
      .filter(([name]) => !Object.hasOwn(SAME_NAMES, name))
      .map(([name, same]) => `${name} is the name of several files: ${same.join(', ')}`),
    ...Object.keys(SAME_NAMES)
      .filter((name) => !doubled.some(([other]) => other === name))
      .map((name) => `${name} is excepted in tools/code-rules.js, but not the name of several files`),
  ];
}

function unusedBreaches(base, sources, others, { ENTRIES }) {
  const gone = ENTRIES.filter(({ file }) => !sources.some((source) => source.path === file));
  const entries = [...ENTRIES.map(({ file }) => file), ...exportedFiles(base, sources)];
  return [
    ...findUnused(sources, others, entries).map(({ file, name }) =>
      name === null ? `${file}: no source imports it` : `${file}: no other file uses its export ${name}`,
    ),
    ...gone.map(({ file }) => `${file} is an entry in tools/code-rules.js, but there is no such file`),
  ];
}

/** The source files of what the packages export. */
function exportedFiles(base, sources) {
  const built = WORKSPACES.map((workspace) => `${workspace}/package.json`)
    .filter((manifest) => existsSync(path.join(base, manifest)))
    .flatMap((manifest) => {
      const { exports, main, bin } = JSON.parse(readFileSync(path.join(base, manifest), 'utf8'));
      return textsIn([exports, main, bin]).map((file) => path.posix.join(path.posix.dirname(manifest), file));
    });
  const found = built.map((file) => file.replace(/\/dist\/(?:cjs\/)?/, '/src/').replace(/\.(?:d\.ts|c?js)$/, '.ts'));
  return found.filter((file) => sources.some((source) => source.path === file));
}

function textsIn(value) {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
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

function workspaceOf(file) {
  return /^(?:(?:packages|plugins)\/)?[\w-]+/.exec(file)?.[0];
}

function acrossBreaches(tests, { TESTS_ACROSS }) {
  const used = new Set();
  const breaches = tests.flatMap((source) => {
    const workspace = workspaceOf(source.path);
    return findImports(source)
      .filter(({ name }) => name?.startsWith('.'))
      .map(({ name, line }) => ({ line, target: path.posix.join(path.posix.dirname(source.path), name) }))
      .filter(({ target }) => /\.[cm]?[jt]sx?$/.test(target) && workspaceOf(target) !== workspace)
      .filter(({ target }) => {
        const row = TESTS_ACROSS.find(
          ({ from, to }) =>
            source.path.startsWith(from) && target.replace(/\.js$/, '').startsWith(to.replace(/\.[jt]s$/, '')),
        );
        used.add(row);
        return !row;
      })
      .map(
        ({ target, line }) => `${source.path}:${line}: a test of ${workspace} must not import ${target} by its path`,
      );
  });
  const spare = TESTS_ACROSS.filter((row) => !used.has(row));
  return [
    ...breaches,
    ...spare.map(({ from, to }) => `${from} is allowed ${to} in tools/code-rules.js, but does not import it`),
  ];
}

function timerBreaches(tests, { TEST_TIMERS }) {
  const found = tests.flatMap((source) =>
    timersIn(source).map((node) => ({ file: source.path, line: lineOf(source, node.start) })),
  );
  return [
    ...found
      .filter(({ file }) => !TEST_TIMERS.some((row) => row.file === file))
      .map(
        ({ file, line }) =>
          `${file}:${line}: a test must not wait for a time; tools/code-rules.js lists who uses timers`,
      ),
    ...TEST_TIMERS.filter((row) => !found.some(({ file }) => file === row.file)).map(
      ({ file }) => `${file} may use timers by tools/code-rules.js, but does not`,
    ),
  ];
}

/** A test that is left out for another reason than the reporter can tell. */
function skipBreaches({ path: file, program, ...source }) {
  const found = [];
  walk(program, (node) => {
    if (node.type === 'MemberExpression' && SKIPS.includes(propertyName(node))) found.push(lineOf(source, node.start));
  });
  return found.map((line) => `${file}:${line}: a test is skipped by tools/needs.js, so that the run says why`);
}

/** Timers that a file calls or hands on, or takes from Node under any name, and waits that block. */
function timersIn({ program }) {
  const found = [];
  walk(program, (node) => {
    const isWait =
      node.type === 'ImportDeclaration' ? takesTimers(node) : node.type === 'CallExpression' && waits(node);
    if (isWait) found.push(node);
  });
  return found;
}

function takesTimers({ source, specifiers }) {
  return (
    TIMER_MODULES.test(source.value) &&
    specifiers.some(({ imported }) => imported === undefined || TIMERS.includes(imported.name))
  );
}

function waits({ callee, arguments: given }) {
  return (
    [callee, ...given].some(({ name }) => TIMERS.includes(name)) ||
    (callee.name === 'require' && TIMER_MODULES.test(stringOf(given[0]) ?? '')) ||
    (callee.object?.name === 'Atomics' && callee.property.name === 'wait')
  );
}
