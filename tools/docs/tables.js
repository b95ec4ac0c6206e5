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
