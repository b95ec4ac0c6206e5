// Checks that every regular expression takes linear time on any text (ReDoS), with recheck. Fix a flagged expression, or
// list it in check-regexes.yaml with the bound on its input.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { check } from 'recheck';
import { parseSync, Visitor } from 'vite';
import { parse } from 'yaml';

/** Makes recheck reproducible, and turns off timeouts, which would flag expressions on a busy machine. */
const TRIES = { timeout: 300_000, randomSeed: 1, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** String methods that compile a string to an expression. */
const MAKING_METHODS = new Set(['match', 'matchAll', 'search']);
const MAX_REPEATS = 100;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { regexes, breaches } = await checkRegexes('.', parse(readFileSync('tools/check-regexes.yaml', 'utf8')));
  for (const breach of breaches) console.error(breach);
  console.log(`regexes: ${regexes} checked, ${breaches.length} breaches`);
  // Exits explicitly, because recheck's process would keep this process alive.
  process.exit(breaches.length === 0 ? 0 : 1);
}

/** Resolves to the number of expressions, and a sentence per flagged expression and per unused exception. */
export async function checkRegexes(base, exceptions = []) {
  const found = sourcesIn(base).flatMap((name) => findRegexes(name, readFileSync(path.join(base, name), 'utf8')));
  const [constant, made] = [true, false].map((is) => found.filter(({ pattern }) => (pattern !== null) === is));
  const known = [...constant, ...(await whenLoaded(base, made))];
  const unused = new Set(exceptions);
  const breaches = [];
  // Checks one after the other, because concurrent checks would share recheck's random numbers.
  for (const { file, line, source, pattern, flags } of known) {
    const fault = await faultOf(pattern, flags);
    const exception = exceptions.find((one) => one.file === file && one.source === source);
    if (fault !== null && exception === undefined) breaches.push(`${file}:${line}: ${source} ${fault}`);
    if (fault !== null) unused.delete(exception);
  }
  const where = 'is an unused exception in tools/check-regexes.yaml';
  return {
    regexes: known.length,
    breaches: [...breaches, ...[...unused].map((one) => `${one.file}: ${one.source} ${where}`)],
  };
}

async function faultOf(pattern, flags) {
  if (pattern === null) return 'is built at run time, so it cannot be checked';
  const { status, checker, complexity, attack, error } = await check(pattern, flags, TRIES);
  if (status === 'safe') return null;
  if (checker === 'fuzz' && complexity?.type === 'polynomial' && hasBoundedRepeats(pattern)) return null;
  if (status === 'unknown') return `cannot be judged: ${error.kind}`;
  return `takes ${complexity.summary} time, for example on ${attack.pattern}`;
}

/** Whether all repeats are bounded. Time is then linear, even if recheck mistakes a large factor for an exponent. */
function hasBoundedRepeats(pattern) {
  const plain = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x');
  const quantifiers = plain.match(/[*+]|\{\d+(?:,\d*)?\}/g) ?? [];
  return quantifiers.every((one) => Number(/(\d+)\}$/.exec(one)?.[1] ?? Number.POSITIVE_INFINITY) <= MAX_REPEATS);
}

/** Finds expressions that modules build at load time, by loading the compiled modules. */
async function whenLoaded(base, unknown) {
  const fileOf = ({ file }) => path.resolve(base, file.replace('/src/', '/dist/').replace(/\.tsx?$/, '.js'));
  const files = [...new Set(unknown.map(fileOf))];
  const made = await regexesMadeBy(files.filter((file) => existsSync(file)));
  return files.flatMap((file) => {
    const those = unknown.filter((one) => fileOf(one) === file);
    const its = made.filter(({ stack }) => stack.includes(file));
    return its.length < those.length ? those : its.map(({ pattern, flags }) => ({ ...those[0], pattern, flags }));
  });
}

/** Resolves to the arguments of each call of `new RegExp` while the modules load, with its stack. */
async function regexesMadeBy(modules) {
  const made = [];
  const RealRegExp = globalThis.RegExp;
  globalThis.RegExp = new Proxy(RealRegExp, {
    construct(target, [pattern, flags = '']) {
      made.push({ pattern: String(pattern), flags, stack: new Error('for its stack').stack });
      return new target(pattern, flags);
    },
  });
  try {
    for (const module of modules) await import(pathToFileURL(module).href);
  } finally {
    globalThis.RegExp = RealRegExp;
  }
  return made;
}

function sourcesIn(base) {
  return ['packages', 'plugins']
    .filter((folder) => existsSync(path.join(base, folder)))
    .flatMap((folder) => readdirSync(path.join(base, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((name) => /^\w+\/[\w-]+\/src\/.*\.[cm]?[jt]sx?$/.test(name))
    .sort();
}

/** Finds every expression of a file. `pattern` is null if the text of the expression is not constant. */
function findRegexes(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const found = [];
  const add = ({ start, end }, pattern, flags = '') => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, source: text.slice(start, end), pattern, flags });
  };
  const ofCall = (node) => {
    const [first, flags] = node.arguments;
    const pattern = stringOf(first);
    if (node.callee.name === 'RegExp') add(node, pattern, flags && stringOf(flags));
    else if (MAKING_METHODS.has(node.callee.property?.name) && pattern !== null) add(node, pattern);
  };
  new Visitor({
    Literal: (node) => node.regex && add(node, node.regex.pattern, node.regex.flags),
    NewExpression: ofCall,
    CallExpression: ofCall,
  }).visit(program);
  return found;
}

/** Returns the value of a node that is a constant string; null for other nodes. */
function stringOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return null;
}
