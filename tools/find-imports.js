import { lineOf, propertyName, stringOf, walk } from './source-files.js';

/** Calls that load the module whose name is their first argument. */
const LOADING_CALLS = new Set(['require', 'resolve', 'getBuiltinModule', 'binding']);

/** `/// <reference types="…" />` and its kin import a package without any statement. */
const REFERENCE = /^\/\s*<reference\s+(?:types|path)\s*=\s*["']([^"']*)["']/;

const MODULE_FILE = /\.[cm]?[jt]sx?$/;

/**
 * Every way in which a file names another module: statements, types, dynamic imports, `require` however it was come by, and
 * the files that workers are made of. `name` is null where the name is only known when the program runs.
 */
export function findImports(source) {
  const found = [];
  const add = (name, node) => found.push({ name, line: lineOf(source, node.start) });
  walk(source.program, (node) => {
    const named = moduleNode(node);
    if (named !== null) add(stringOf(named), node);
  });
  for (const comment of source.comments) {
    const [, name] = REFERENCE.exec(comment.value) ?? [];
    if (name !== undefined) add(name, comment);
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
      return isUrlBesideThis(node) && !isData(node.arguments[0]) ? node.arguments[0] : null;
    default:
      return null;
  }
}

/** Whether the address of a file beside this one is that of data, and not of a module. */
function isData(node) {
  const name = stringOf(node);
  return name !== null && !MODULE_FILE.test(name);
}

function calledName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' ? propertyName(callee) : null;
}

/** `require(…)`, `require.resolve(…)`, `import.meta.resolve(…)`, `process.getBuiltinModule(…)`, `createRequire(…)(…)`. */
function isLoading(callee) {
  if (callee.type === 'CallExpression') return calledName(callee.callee) === 'createRequire';
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
