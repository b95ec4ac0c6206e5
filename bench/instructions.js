// Counts the CPU instructions that parsing a message takes. Run by `npm run bench:instructions`.
import { readFileSync, writeFileSync } from 'node:fs';
import { optionsOf } from '../tools/options.js';
import {
  ARRIVAL,
  compared,
  instructionsOf,
  keyOf,
  millions,
  missingCounter,
  POSTAL_MIME,
  TOLERANCE,
} from './instructions/counting.js';

const RECORDED = new URL('./instructions.json', import.meta.url);

const HELP = `Usage: npm run bench:instructions -- [--record] [--help]

Counts the processor's instructions for parsing a new message. Unlike times, counts do not depend on the machine's
load, so they show changes of a few percent.

  --record   Writes the figures to bench/instructions.json, with postal-mime's for the same messages.
  --help     This text.

Uses valgrind (Debian package valgrind), for about a minute. Exit code 1 if a message costs over ${Math.round((TOLERANCE - 1) * 100)} % more than
recorded for this version of Node; 0 if valgrind or a recorded count is missing; 2 for an invalid option.`;

process.exitCode = await main().catch((error) => {
  console.error(`bench:instructions: ${error.message}`);
  return 1;
});

async function main() {
  const options = optionsOf(HELP, { record: { type: 'boolean' } });
  const reason = await missingCounter();
  if (reason !== null) return skip(reason);
  const key = keyOf({ node: process.versions.node, arch: process.arch });
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'));
  if (options.record) return record(key, recorded);
  if (recorded[key] === undefined) return skip(`no counts are recorded for ${key}; use "-- --record".`);
  return compare(key, recorded[key]);
}

function skip(reason) {
  console.log(`bench:instructions: skipped: ${reason}`);
  return 0;
}

async function compare(key, recorded) {
  console.error(`bench:instructions: counting (${key}) ...`);
  const now = await instructionsOf(ARRIVAL);
  const { rows, worse } = compared(now, recorded[ARRIVAL]);
  console.log(`Instructions per message (${key}):\n${rows.join('\n')}\n${beside(now, recorded[POSTAL_MIME])}`);
  if (worse.length === 0) return 0;
  console.error(
    `\n${worse.join('\n')}\nFind the cause with "node --cpu-prof". If the change is worth its cost, record the new ` +
      'figures with "npm run bench:instructions -- --record" and say why in the commit.',
  );
  return 1;
}

async function record(key, recorded) {
  console.error(`bench:instructions: counting (${key}), and postal-mime ...`);
  const figures = {};
  for (const subject of [ARRIVAL, POSTAL_MIME]) figures[subject] = await instructionsOf(subject);
  writeFileSync(RECORDED, `${JSON.stringify({ ...recorded, [key]: figures }, null, 2)}\n`);
  for (const [mail, count] of Object.entries(figures[ARRIVAL])) console.log(`${mail.padEnd(12)} ${millions(count)}`);
  console.log(`${beside(figures[ARRIVAL], figures[POSTAL_MIME])}\nRecorded for ${key}.`);
  return 0;
}

function beside(ours, theirs) {
  const times = Object.entries(ours).map(([mail, count]) => `${(theirs[mail] / count).toFixed(2)} (${mail})`);
  return `postal-mime only parses, but takes more instructions by a factor of ${times.join(' and ')}.`;
}
