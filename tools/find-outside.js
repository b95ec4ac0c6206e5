import { lineOf, propertyName, walk } from './source-files.js';

/** Globals that reach a clock, a timer, chance, another machine, the disk, the process, or any of these by a detour. */
const OUTSIDE = new Set(
  [
    'performance setTimeout setInterval setImmediate queueMicrotask requestAnimationFrame requestIdleCallback scheduler Temporal',
    'process console crypto fetch XMLHttpRequest WebSocket EventSource BroadcastChannel MessageChannel Worker navigator',
    'localStorage sessionStorage indexedDB document window self global globalThis eval Function require module',
  ].flatMap((names) => names.split(' ')),
);

/** Globals of which only some properties reach outside; the others are arithmetic. */
const PARTLY_OUTSIDE = { Date: ['now'], Math: ['random'], Atomics: ['wait', 'waitAsync'], AbortSignal: ['timeout'] };

/**
 * Where a file uses a clock, a timer, chance or input and output. A name counts even where it is declared in the file
 * itself: nothing of ours needs to be called like that.
 */
export function findOutside(source) {
  const found = [];
  walk(source.program, (node, parent, key) => {
    const name = outsideName(node, parent, key);
    if (name !== null) found.push({ name, line: lineOf(source, node.start) });
  });
  return found;
}

function outsideName(node, parent, key) {
  if (node.type !== 'Identifier' || isOnlyAName(parent, key)) return null;
  if (OUTSIDE.has(node.name)) return node.name;
  const parts = Object.hasOwn(PARTLY_OUTSIDE, node.name) ? PARTLY_OUTSIDE[node.name] : null;
  if (parts === null) return null;
  if (parent.type === 'MemberExpression') {
    const property = propertyName(parent);
    return property === null || parts.includes(property) ? `${node.name}.${property ?? '[…]'}` : null;
  }
  if (node.name !== 'Date') return node.name;
  // `new Date()` and `Date()` tell the time; `new Date(value)` only names it.
  const tellsTime = parent.type !== 'NewExpression' || key !== 'callee' || parent.arguments.length === 0;
  const isComparison = parent.type === 'BinaryExpression' && parent.operator === 'instanceof';
  return tellsTime && !isComparison ? 'new Date()' : null;
}

/** Whether an identifier is the name of a property or of a type, and so no use of a global. */
function isOnlyAName(parent, key) {
  if (parent === null) return false;
  if (parent.type === 'MemberExpression') return key === 'property' && !parent.computed;
  if (parent.type === 'Property') return key === 'key' && !parent.computed && !parent.shorthand;
  return (
    parent.type.startsWith('TS') ||
    (key === 'key' && !parent.computed) ||
    ['ImportSpecifier', 'ExportSpecifier', 'LabeledStatement'].includes(parent.type)
  );
}
