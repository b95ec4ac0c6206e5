// The table of a document that is made of a list, and how tables are written.

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
