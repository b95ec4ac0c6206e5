import path from 'node:path';
import { findImports } from './find-imports.js';
import { stringOf, walk } from './source-files.js';

/** Stands for every name that a file exports. */
const ALL = '*';

/**
 * Exports that no other file imports, and files that no source imports. `sources` are the files whose exports are
 * checked, `users` other files that import them or their compiled form, and `entries` the entry points, whose exports
 * are for others. Returns `{ file, name }` for each; `name` is null for a whole file.
 */
export function findUnused(sources, users, entries) {
  const known = new Set(sources.map((source) => source.path));
  const used = new Map([...known].map((file) => [file, new Set(entries.includes(file) ? [ALL] : [])]));
  const reached = new Set(entries);
  const isSource = new Set(sources);
  for (const source of [...sources, ...users]) {
    for (const { target, names } of usesOf(source, known)) {
      if (target === source.path) continue;
      if (isSource.has(source)) reached.add(target);
      for (const name of names) used.get(target).add(name);
    }
  }
  return sources.flatMap((source) => {
    const file = source.path;
    if (!reached.has(file)) return [{ file, name: null }];
    if (used.get(file).has(ALL)) return [];
    return exportsOf(source)
      .filter((name) => !used.get(file).has(name))
      .map((name) => ({ file, name }));
  });
}

/** The files of ours that a file names, each with the names that it takes from there. */
function usesOf(source, known) {
  const uses = [];
  walk(source.program, (node) => {
    const names = namesTaken(node);
    const name = names && stringOf(node.source);
    const target = name && targetOf(source.path, name, known);
    if (target) uses.push({ target, names });
  });
  // A file loaded in another way (threads, require) counts as used as a whole.
  const stated = new Set(uses.map(({ target }) => target));
  for (const { name } of findImports(source)) {
    const target = name && targetOf(source.path, name, known);
    if (target && !stated.has(target)) uses.push({ target, names: [ALL] });
  }
  return uses;
}

/** The names that a statement takes from another file; undefined where it is no such statement. */
function namesTaken(node) {
  if (!node.source) return undefined;
  if (['ExportAllDeclaration', 'ImportExpression', 'TSImportType'].includes(node.type)) return [ALL];
  if (node.type === 'ImportDeclaration') {
    return node.specifiers.map(({ type, imported }) => {
      if (type === 'ImportSpecifier') return imported.name ?? imported.value;
      return type === 'ImportDefaultSpecifier' ? 'default' : ALL;
    });
  }
  if (node.type === 'ExportNamedDeclaration') return node.specifiers.map(({ local }) => local.name ?? local.value);
  return undefined;
}

/** The source file that a relative name leads to, directly or by its compiled form. */
function targetOf(file, name, known) {
  if (!name.startsWith('.')) return undefined;
  const target = path.posix.join(path.posix.dirname(file), name).replace('/dist/', '/src/');
  return [target, ...['.ts', '.tsx'].map((end) => target.replace(/\.js$/, end))].find((form) => known.has(form));
}

/**
 * The names that a file exports of its own. Types that the file itself uses are left out: they are the shapes of what
 * it takes and gives, and callers may need them.
 */
function exportsOf({ program, text }) {
  return program.body.flatMap((node) => {
    if (node.type === 'ExportDefaultDeclaration') return ['default'];
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { declaration, specifiers } = node;
    if (!declaration) return specifiers.map(({ exported }) => exported.name ?? stringOf(exported));
    const isType = declaration.type.startsWith('TS');
    return (declaration.declarations ?? [declaration])
      .flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
      .filter((name) => !isType || text.split(new RegExp(`\\b${name}\\b`)).length === 2);
  });
}
