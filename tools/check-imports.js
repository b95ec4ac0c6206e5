// Checks how the files of the server, the client and the page import each other, by the rules in import-rules.js: the
// direction between the parts, the door of each, which packages each part may use, one file for each engine, no cycles,
// which files start threads, and no clock, timer, chance or I/O in pure parts. Exits with 1 and a line for each
// breach.

import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findImports } from './find-imports.js';
import { findOutside } from './find-outside.js';
import * as projectRules from './import-rules.js';
import { propertyName, readSources, walk } from './source-files.js';

const SERVER = 'packages/server/src/';

/** Files of packages/server/src that are a part of their own. */
const OWN_PARTS = ['main', 'service', 'service-process', 'start-mayfly'];

/** What tells or measures time. */
const TIME = /^(?:setTimeout|setInterval|performance|Date\.now|new Date\(\)|AbortSignal\.timeout|Temporal|scheduler)$/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, breaches } = checkImports('.');
  for (const breach of breaches) console.error(breach);
  console.log(`imports: ${files} files, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Checks the tree in a folder. Returns how many files it looked at, and a sentence for each breach. */
export function checkImports(base, rules = projectRules) {
  const sources = readSources(base);
  const imports = importsOf(sources);
  const used = new Set();
  const breaches = [
    ...sources.filter(({ path }) => !Object.hasOwn(rules.PARTS, partOf(path))).map(unknownPart),
    ...imports.flatMap((one) => importBreaches(one, rules, used)),
    ...doorBreaches(sources, imports, rules),
    ...engineBreaches(imports, rules),
    ...cycleBreaches(sources, imports),
    ...outsideBreaches(sources, rules, used),
    ...threadBreaches(sources, rules, used),
    ...[...rules.FILE_PACKAGES, ...rules.DECLARED_MODULES, ...rules.THREAD_STARTERS, ...rules.IMPURE_NAMES]
      .filter((exception) => !used.has(exception))
      .map(({ file, name = 'threads' }) => {
        return `${file} is excepted for ${name} in tools/import-rules.js, but does not use it`;
      }),
  ];
  return { files: sources.length, breaches };
}

/** Every import of every file, with the file of ours or the package that it names. */
function importsOf(sources) {
  const known = new Set(sources.map(({ path }) => path));
  return sources.flatMap((source) =>
    findImports(source).map(({ name, line, isDeclared }) => ({
      file: source.path,
      line,
      name,
      isDeclared,
      ...targetOf(source.path, name, known),
    })),
  );
}

function targetOf(file, name, known) {
  if (name === null) return {};
  if (!name.startsWith('.')) return { package: isBuiltin(name) ? `node:${name.replace(/^node:/, '')}` : name };
  const target = path.posix.join(path.posix.dirname(file), name);
  // One workspace imports what another's build has made.
  const isOther = workspaceOf(target) !== workspaceOf(file);
  const source = isOther ? target.replace('/dist/', '/src/') : target;
  const forms = [source, ...['.ts', '.tsx'].map((end) => source.replace(/\.js$/, end))];
  return { ours: forms.find((form) => known.has(form)), asset: /\.(?:css|svg)(?:\?raw)?$/.test(name) };
}

/** The folder below `packages` or `plugins` that holds a file. */
function workspaceOf(file) {
  return file.split('/')[1];
}

/** The part that a file belongs to. */
function partOf(file) {
  const [, workspace, , first, ...rest] = file.split('/');
  if (workspace !== 'server') return workspace;
  if (rest.length > 0) return first;
  const name = first.replace('.ts', '');
  return OWN_PARTS.includes(name) ? name : 'base';
}

function unknownPart({ path }) {
  return `${path}: tools/import-rules.js does not say what the part ${partOf(path)} may import`;
}

function importBreaches({ file, line, name, ours, package: needed, asset, isDeclared }, rules, used) {
  const part = partOf(file);
  const allowed = rules.PARTS[part] ?? { parts: [], packages: [] };
  const at = `${file}:${line}`;
  if (isDeclared) {
    const row = rules.DECLARED_MODULES.find((one) => one.file === file && one.name === name);
    used.add(row);
    return row ? [] : [`${at}: declares what the module ${name} holds; tools/import-rules.js lists who may`];
  }
  const exception = rules.FILE_PACKAGES.find((one) => one.file === file && one.name === (needed ?? name));
  if (exception !== undefined && ours === undefined) {
    used.add(exception);
    return [];
  }
  if (name === null) return [`${at}: imports what is only known when it runs, so it cannot be checked`];
  if (needed !== undefined) {
    return allowed.packages.includes(needed) ? [] : [`${at}: ${part} must not import the package ${needed}`];
  }
  if (ours === undefined) return asset && part === 'web' ? [] : [`${at}: ${name} is no source file`];
  const other = partOf(ours);
  return other === part || allowed.parts.includes(other) ? [] : [`${at}: ${part} must not import ${other} (${ours})`];
}

/** Other parts import only the files of a part's door, and each file of a door is imported by another part. */
function doorBreaches(sources, imports, { DOORS }) {
  const reaching = imports
    .filter(({ file, ours }) => ours?.startsWith(SERVER) && partOf(ours) !== partOf(file))
    .map((one) => ({ ...one, part: partOf(one.ours), inner: one.ours.slice(SERVER.length) }));
  const past = reaching.filter(({ part, inner }) => !OWN_PARTS.includes(part) && !DOORS[part]?.[inner]);
  const reached = new Set(reaching.map(({ inner }) => inner));
  const rows = Object.entries(DOORS).flatMap(([part, door]) => Object.keys(door).map((inner) => ({ part, inner })));
  const known = new Set(sources.map(({ path }) => path));
  return [
    ...past.map(
      ({ file, line, part, ours }) => `${file}:${line}: ${ours} is not in the door of ${part} (tools/doors.js)`,
    ),
    ...rows
      .filter(({ inner }) => !reached.has(inner))
      .map(({ part, inner }) => {
        const why = known.has(SERVER + inner) ? 'no other part imports it' : 'there is no such file';
        return `tools/doors.js has ${inner} in the door of ${part}, but ${why}`;
      }),
    ...rows
      .filter(({ part, inner }) => partOf(SERVER + inner) !== part)
      .map(({ part, inner }) => `tools/doors.js has ${inner} in the door of ${part}, whose file it is not`),
  ];
}

/** An engine must be replaceable in one place. Node's own modules are no engines. */
function engineBreaches(imports, { SEVERAL_FILES }) {
  const users = new Map();
  for (const { file, package: name, isDeclared } of imports) {
    if (isDeclared || name === undefined || name.startsWith('node:')) continue;
    const engine = name.split('/', name.startsWith('@') ? 2 : 1).join('/');
    users.set(engine, (users.get(engine) ?? new Set()).add(file));
  }
  const inSeveral = [...users].filter(([, files]) => files.size > 1);
  const unused = Object.keys(SEVERAL_FILES).filter((engine) => !inSeveral.some(([name]) => name === engine));
  return [
    ...inSeveral
      .filter(([engine]) => !Object.hasOwn(SEVERAL_FILES, engine))
      .map(([engine, files]) => `${engine} is imported by several files: ${[...files].join(', ')}`),
    ...unused.map((engine) => `${engine} is excepted in tools/import-rules.js, but not imported by several files`),
  ];
}

function cycleBreaches(sources, imports) {
  const done = new Set();
  const breaches = [];
  const visit = (file, trail) => {
    if (trail.includes(file)) breaches.push(`a cycle: ${[...trail.slice(trail.indexOf(file)), file].join(' → ')}`);
    if (done.has(file) || trail.includes(file)) return;
    for (const { ours } of imports.filter((one) => one.file === file && one.ours)) visit(ours, [...trail, file]);
    done.add(file);
  };
  for (const { path } of sources) visit(path, []);
  return breaches;
}

/** A pure part uses nothing of the outside, and the others of the service no time but what they are given. */
function outsideBreaches(sources, { PURE_PARTS, IMPURE_NAMES }, used) {
  return sources
    .filter(({ path }) => path.startsWith(SERVER))
    .flatMap((source) => findOutside(source).map((use) => ({ ...use, file: source.path, part: partOf(source.path) })))
    .filter(({ part, name }) => PURE_PARTS.includes(part) || TIME.test(name))
    .filter(({ file, name }) => {
      const exception = IMPURE_NAMES.find((one) => one.file === file && one.name === name);
      if (exception) used.add(exception);
      return !exception;
    })
    .map(({ file, line, part, name }) => {
      return PURE_PARTS.includes(part)
        ? `${file}:${line}: ${part} is pure and must not use ${name}`
        : `${file}:${line}: takes its time from ${name} and not from a Clock; tools/outside-rules.js lists who may`;
    });
}

/** A thread runs a file that no import names. */
function threadBreaches(sources, { THREAD_STARTERS }, used) {
  return sources
    .filter((source) => {
      const row = THREAD_STARTERS.find(({ file }) => file === source.path);
      const starts = startsThreads(source);
      if (starts) used.add(row);
      return starts && !row;
    })
    .map(({ path }) => `${path}: starts a thread; tools/import-rules.js lists who may`);
}

/** Whether a file makes a `Worker`, or takes it from Node under any name. */
function startsThreads({ program }) {
  let starts = false;
  walk(program, (node) => {
    if (node.type === 'NewExpression') {
      const { callee } = node;
      const name = callee.type === 'MemberExpression' ? propertyName(callee) : callee.name;
      starts ||= name === 'Worker' || name === 'SharedWorker';
    } else if (node.type === 'ImportDeclaration' && /^(?:node:)?worker_threads$/.test(node.source.value)) {
      starts ||= node.specifiers.some(({ imported }) => imported === undefined || imported.name === 'Worker');
    }
  });
  return starts;
}
