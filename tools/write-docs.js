// Writes the parts of the documentation that are made from the code. With --check it writes nothing and exits with 1 where a
// document differs from what the code says.
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../server/dist/commands/help.js';

const BEGIN = '<!-- made from server/src/settings/table.ts by "npm run docs" -->';
const END = '<!-- end of the made part -->';

const document = 'docs/configuration.md';
const written = readFileSync(document, 'utf8');
const [before, rest] = written.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`${document} has lost the lines between which its table stands.`);
const made = `${before}${BEGIN}\n\n${settingsTable()}\n\n${END}${after}`;

if (!process.argv.includes('--check')) {
  writeFileSync(document, made);
} else if (made === written) {
  console.log(`docs: ${document} says what the code says`);
} else {
  console.error(`docs: ${document} differs from the code. Run "npm run docs" and commit what it writes.`);
  process.exitCode = 1;
}
