import { table } from './tables.js';

/** What nearly every part uses, and a drawing need not show. */
const COMMON = ['base', 'fairness', 'limits', 'settings'];

/** Parts that are workspaces, which import each other by the names of their packages. */
const WORKSPACES = ['client', 'cli', 'mcp', 'web'];

/** The parts of packages/server/src with their imports as a drawing, and their doors as a table. */
export function partsDrawing(parts, doors) {
  const names = Object.keys(parts).filter((name) => !WORKSPACES.includes(name));
  const arrows = names
    .filter((name) => !COMMON.includes(name))
    .map((name) => [name, parts[name].parts.filter((other) => !COMMON.includes(other))])
    .filter(([, others]) => others.length > 0)
    .map(([name, others]) => `  ${name} --> ${others.join(' & ')}`);
  const drawing = ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
  const rows = names
    .filter((name) => Object.hasOwn(doors, name))
    .map((name) => [code(name), Object.keys(doors[name]).map(code).join(', ')]);
  const left = `${COMMON.map(code).join(', ')} are left out of the drawing. ${code('tools/doors.js')} says what each file is for.`;
  return [drawing, left, table(['Part', 'Door: the files that other parts import'], rows)].join('\n\n');
}

function code(name) {
  return `\`${name}\``;
}
