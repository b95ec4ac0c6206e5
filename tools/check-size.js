// Checks that no part exceeds its lines and files in tools/budgets.json. --write lowers the numbers of parts that shrank.
// Exits with 1 and a line for each breach.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { trackedFiles } from './needs.js';
import { optionsOf } from './options.js';

const BUDGETS = 'tools/budgets.json';
const CODE = /(?<!\/fixtures\/container-settings)\.(?:[cm]?[jt]sx?|lua)$/; // "npm run docs" writes the excluded file.
const TEST = /(?:^|\/)tests?\//;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { write } = optionsOf('Usage: node tools/check-size.js [--write]', { write: { type: 'boolean' } });
  const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8'));
  const sizes = sizesOf('.', trackedFiles('size'), Object.keys(budgets));
  if (write) {
    const lowered = Object.entries(budgets).map(([part, { lines, files }]) => {
      return [part, { lines: Math.min(lines, sizes[part].lines), files: Math.min(files, sizes[part].files) }];
    });
    writeFileSync(BUDGETS, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
  }
  const breaches = sizeBreaches(sizes, budgets);
  for (const breach of breaches) console.error(breach);
  console.log(`size: ${Object.keys(budgets).length} parts, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}

/** Counts lines and files of code per part. A part is a folder, or "tests" for all tests. */
export function sizesOf(base, files, parts) {
  const sizes = Object.fromEntries(parts.map((part) => [part, { lines: 0, files: 0 }]));
  for (const file of files.filter((name) => CODE.test(name))) {
    const part = TEST.test(file) ? 'tests' : parts.find((one) => file.startsWith(`${one}/`));
    if (!Object.hasOwn(sizes, part ?? '')) continue;
    sizes[part].lines += readFileSync(path.join(base, file), 'utf8').split('\n').length - 1;
    sizes[part].files += 1;
  }
  return sizes;
}

export function sizeBreaches(sizes, budgets) {
  return Object.entries(budgets).flatMap(([part, budget]) =>
    ['lines', 'files']
      .filter((unit) => sizes[part][unit] > budget[unit])
      .map((unit) => {
        return `${part} has ${sizes[part][unit]} ${unit}, and ${BUDGETS} allows ${budget[unit]}. Shrink it, or raise the number and give the reason in the commit.`;
      }),
  );
}
