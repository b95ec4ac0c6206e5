import { lineOf, propertyName, stringOf, walk } from './source-files.js';

/** Methods of strings that make a regular expression of a string. */
const MAKING_METHODS = new Set(['match', 'matchAll', 'search']);

/**
 * Every regular expression of a file: literals, `new RegExp` and `RegExp`, and strings that a method makes one of.
 * `pattern` is null where it is not a constant of the file; `isAtTop` tells whether it is then made while the module is
 * loaded.
 */
export function findRegexes(source) {
  const constants = constantsOf(source.program);
  const found = [];
  const add = (node, pattern, flags) =>
    found.push({
      file: source.path,
      line: lineOf(source, node.start),
      source: source.text.slice(node.start, node.end),
      pattern,
      flags,
      isAtTop: !isInFunction(source.program, node),
    });
  walk(source.program, (node) => {
    if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    else if (isMaking(node)) addMade(node);
    else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const text = MAKING_METHODS.has(propertyName(node.callee)) ? stringOf(node.arguments[0]) : null;
      if (text !== null) add(node, text, '');
    }
  });
  return found;

  function addMade(node) {
    const [pattern, flags] = node.arguments;
    // Of an expression that exists already this makes a copy; that one is looked at where it stands.
    const made = constants.get(pattern?.name) ?? pattern;
    if (made?.regex || (made && isMaking(made))) return;
    add(node, constantOf(pattern, constants), flags === undefined ? '' : constantOf(flags, constants));
  }
}

function isMaking({ type, callee }) {
  return (
    (type === 'NewExpression' || type === 'CallExpression') && callee.type === 'Identifier' && callee.name === 'RegExp'
  );
}

/** The constants at the top of a module, by name. */
function constantsOf(program) {
  const declarations = program.body
    .map((statement) => statement.declaration ?? statement)
    .filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'const')
    .flatMap(({ declarations }) => declarations);
  return new Map(declarations.map(({ id, init }) => [id.name, init]));
}

/** The string that an expression of constants is; null where it is made of anything else. */
function constantOf(node, constants) {
  const text = stringOf(node);
  if (text !== null) return text;
  const parts = partsOf(node, constants)?.map((part) =>
    typeof part === 'string' ? part : constantOf(part, constants),
  );
  return parts === undefined || parts.includes(null) ? null : parts.join('');
}

function partsOf(node, constants) {
  switch (node?.type) {
    case 'Identifier':
      return constants.has(node.name) ? [constants.get(node.name)] : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right] : undefined;
    case 'TemplateLiteral':
      return interleaved(
        node.quasis.map(({ value }) => value.cooked),
        node.expressions,
      );
    case 'TaggedTemplateExpression':
      return isStringRaw(node.tag)
        ? interleaved(
            node.quasi.quasis.map(({ value }) => value.raw),
            node.quasi.expressions,
          )
        : undefined;
    default:
      return undefined;
  }
}

function isStringRaw(tag) {
  return tag.type === 'MemberExpression' && tag.object.name === 'String' && propertyName(tag) === 'raw';
}

function interleaved(texts, expressions) {
  return texts.flatMap((text, at) => (at < expressions.length ? [text, expressions[at]] : [text]));
}

function isInFunction(program, { start, end }) {
  let isInside = false;
  walk(program, (node) => {
    if (/Function|MethodDefinition|PropertyDefinition/.test(node.type) && node.start <= start && node.end >= end)
      isInside = true;
  });
  return isInside;
}
