import { FILES } from '../parts.js';
import { table } from './tables.js';

/** What nearly every part uses, and a drawing need not show. */
const COMMON = ['base', 'fairness', 'limits', 'settings'];

/** The parts of packages/server/src with their imports as a drawing, and their doors as a table. */
export function partsDrawing(parts) {
  const arrows = Object.entries(parts)
    .filter(([name]) => !COMMON.includes(name))
    .map(([name, { uses }]) => [name, uses.filter((other) => !COMMON.includes(other))])
    .filter(([, others]) => others.length > 0)
    .map(([name, others]) => `  ${name} --> ${others.join(' & ')}`);
  const drawing = ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
  const rows = Object.entries(parts)
    .filter(([name]) => !FILES.includes(name))
    .map(([name, { door }]) => [code(name), door.map((file) => code(`${name}/${file}.ts`)).join(', ')]);
  const left = `${COMMON.map(code).join(', ')} are left out of the drawing.`;
  return [drawing, left, table(['Part', 'Door: the files that other parts import'], rows)].join('\n\n');
}

function code(name) {
  return `\`${name}\``;
}
