// The source of Mayfly as syntax trees, for the checks in this folder. The parser is the one that Vite brings along.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

/** The folders that hold what runs in production. */
const SOURCE_ROOTS = [
  ...[
    'packages/cli/src',
    'packages/client/src',
    'packages/mail/src',
    'packages/mcp/src',
    'packages/protocol/src',
    'packages/server/src',
    'packages/web/src',
  ],
  ...['plugins/catchers/src', 'plugins/send-apis/src'],
];

const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * Every source file below a folder of the project, parsed. `path` is relative to `base`, with slashes.
 * Throws when a file is not valid TypeScript, since nothing could be said about it.
 */
export function readSources(base, roots = SOURCE_ROOTS) {
  return roots
    .filter((root) => existsSync(path.join(base, root)))
    .flatMap((root) => filesBelow(base, root, SOURCE))
    .map((name) => parseSource(base, name));
}

/**
 * The files below a folder that `pattern` matches, as `readSources` names them. Without installed packages: the tests
 * and the examples have some of their own.
 */
export function filesBelow(base, folder, pattern) {
  return readdirSync(path.join(base, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(base, name, pattern);
      return pattern.test(name) ? [name] : [];
    })
    .sort();
}

function parseSource(base, name) {
  const text = readFileSync(path.join(base, name), 'utf8');
  const { program, comments, errors } = parseSync(name, text);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed: ${errors[0].message}`);
  return { path: name, text, program, comments };
}

/**
 * Calls `visit(node, parent, key)` for every node of a tree, parents first; `key` is the parent's property that holds
 * it.
 */
export function walk(node, visit, parent = null, key = '') {
  visit(node, parent, key);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') walk(child, visit, node, name);
    }
  }
}

/** The text of a constant string; null for any other node. */
export function stringOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return null;
}

/** The name of a property that is read from an object: `a.name`, `a['name']`; null when it is computed. */
export function propertyName(member) {
  return member.computed ? stringOf(member.property) : member.property.name;
}

/** The line that an offset of a file is in, from 1. */
export function lineOf(source, offset) {
  return source.text.slice(0, offset).split('\n').length;
}
