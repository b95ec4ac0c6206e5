// The tables of documents that are made of a list, and how tables are written.
import { FILES } from '../parts.js';

/** A table of Markdown. Cells hold Markdown; what would end a cell or a line of the table is escaped. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text) {
  return String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Text that holds no Markdown, such as that of an error. */
export function plain(text) {
  return text.replace(/[*_<>[\]`]/g, (character) => `\\${character}`);
}

/** What nearly every part uses, and a drawing need not show. */
const COMMON = ['base', 'limits', 'settings'];

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

/** Which SDKs the tests send with, and what with each (plugins/send-apis/test/sdks/sdks.json). */
export function sdkTable({ sending, refused, sdks }) {
  const errors = Object.keys(refused).length;
  return table(
    ['Provider', 'SDK', ...Object.values(sending), 'errors'],
    sdks.map(({ provider, language, sdk, lacks }) => {
      const missing = Object.keys(refused).filter((name) => name in lacks);
      return [
        provider,
        `${language}: ${sdk}`,
        ...Object.keys(sending).map((name) => lacks[name] ?? '✓'),
        missing.length === 0 ? '✓' : `${errors - missing.length} of ${errors}`,
      ];
    }),
  );
}
