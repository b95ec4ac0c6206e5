import { lineOf, propertyName, stringOf, walk } from './source-files.js';

/** Calls that load the module whose name is their first argument. */
const LOADING_CALLS = new Set(['require', 'resolve', 'getBuiltinModule', 'binding']);

/** `/// <reference types="…" />` and its kin import a package without any statement. */
const REFERENCE = /^\/\s*<reference\s+(?:types|path)\s*=\s*["']([^"']*)["']/;

/** JSDoc imports types with `@import { A } from '…'`, and with `import('…')` in braces. */
const JSDOC_IMPORT = /@import\s[^'"@]{0,500}["']([^"']*)["']|\{[^{}'"]{0,200}\bimport\(["']([^"']*)["']\)/g;

/**
 * Every way in which a file names another module: statements, types, dynamic imports, `require` however it was come by,
 * the files beside it (workers and data), and comments. `name` is null where the name is only known when the program
 * runs. `isDeclared` tells that the file says itself what the module holds (`declare module`).
 */
export function findImports(source) {
  const found = [];
  const add = (name, node, isDeclared = false) => found.push({ name, line: lineOf(source, node.start), isDeclared });
  walk(source.program, (node, parent, key) => {
    const named = moduleNode(node);
    if (named !== null) add(stringOf(named), node);
    if (node.type === 'TSModuleDeclaration' && node.id.type === 'Literal') add(node.id.value, node, true);
    if (hidesRequire(node, parent, key)) add(null, node);
  });
  for (const comment of source.comments) {
    const [, name] = REFERENCE.exec(comment.value) ?? [];
    if (name !== undefined) add(name, comment);
    for (const [, imported, inType] of comment.value.matchAll(JSDOC_IMPORT)) add(imported ?? inType, comment);
  }
  return found;
}

/** Stands for the name of a module where a call gives none. */
const NOTHING = { type: 'Nothing' };

/** The part of a node that names a module; null when the node loads none. */
function moduleNode(node) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source ?? null;
    case 'TSExternalModuleReference':
      return node.expression;
    case 'CallExpression':
      return isLoading(node.callee) ? (node.arguments[0] ?? NOTHING) : null;
    case 'NewExpression':
      return isUrlBesideThis(node) ? node.arguments[0] : null;
    default:
      return null;
  }
}

function calledName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? propertyName(callee) : null;
}

/**
 * `require(…)`, `require.resolve(…)`, `import.meta.resolve(…)`, `process.getBuiltinModule(…)`, `createRequire(…)(…)`,
 * `createRequire(…).resolve(…)`.
 */
function isLoading(callee) {
  if (isCreateRequire(callee) || (callee.type === 'MemberExpression' && isCreateRequire(callee.object))) return true;
  const name = calledName(callee);
  if (!LOADING_CALLS.has(name)) return false;
  if (name !== 'resolve' && name !== 'binding') return true;
  const { object } = callee;
  return object?.type === 'MetaProperty' || ['require', 'process'].includes(object?.name);
}

/** `new URL('…', import.meta.url)`, which is how a worker's module is named. */
function isUrlBesideThis({ callee, arguments: [, base] }) {
  return callee.name === 'URL' && base?.type === 'MemberExpression' && base.object.type === 'MetaProperty';
}

function isCreateRequire(node) {
  return node.type === 'CallExpression' && calledName(node.callee) === 'createRequire';
}

/** The two names of the module of Node that makes a `require`. */
const MAKES_REQUIRE = ['module', 'node:module'];

/**
 * Whether a node renames `createRequire` or its result, which hides the modules that it loads.
 */
function hidesRequire(node, parent, key) {
  if (node.type === 'ImportExpression') return MAKES_REQUIRE.includes(stringOf(node.source));
  if (node.type === 'ImportDeclaration') {
    return MAKES_REQUIRE.includes(node.source.value) && !node.specifiers.every(keepsItsName);
  }
  if (isCreateRequire(node)) {
    return !(key === 'callee' && parent.type === 'CallExpression') && parent.type !== 'MemberExpression';
  }
  if (node.type !== 'Identifier' || node.name !== 'createRequire' || parent.type === 'ImportSpecifier') return false;
  const isCalled = parent.type === 'CallExpression' && key === 'callee';
  return !isCalled && parent.type !== 'MemberExpression';
}

function keepsItsName({ type, imported, local }) {
  return type === 'ImportSpecifier' && imported.name === local.name;
}
