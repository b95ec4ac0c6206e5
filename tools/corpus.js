import { parseArgs } from 'node:util';
import { readContents } from '../packages/mail/dist/contents.js';
import { extract } from '../packages/mail/dist/extract/extraction.js';
import { parseMessage } from '../packages/mail/dist/mime/parse.js';
import { classRates } from '../packages/mail/test/corpus/class-rates.js';
import {
  loadClasses,
  loadCorpus,
  loadCorpusFrom,
  loadPartsCorpus,
  loadSetAsideClasses,
} from '../packages/mail/test/corpus/load.js';
import { isBelowFloor, mutationRates } from '../packages/mail/test/corpus/mutations/rates.js';
import { MUTATIONS } from '../packages/mail/test/corpus/mutations/table.js';

const HELP = `Usage: npm run corpus -- [--folder DIR] [--mutate [NAME ...]] [--seed N] [--all] [--help]

Reads every mail of the corpus in packages/mail/test/corpus and prints how often the code and the link are right, and where they are
not; then the same for codes with letters and links to follow, and for each class of mails.

  --folder DIR   Reads another corpus, and only that: *.mails files, or *.eml files with a labels.json that holds
                 {"NAME": {"otp": "482913", "magicLink": null}} for NAME.eml.
  --mutate       Changes each mail in the ways below, each a small change after which a reader still knows what is right, and
                 prints how many mails hold under each, and the first that break. With names, only these changes.
  --seed N       Which numbers and words the changes write and where, 1 by default: another seed is another sample.
  --all          Prints all mails that break, with what was made of them: for one change at a time.
  --help         This text.

Changes:
${MUTATIONS.map(({ name, about, floor }) => `  ${name.padEnd(18)} ${String(floor).padStart(3)} %  ${about}`).join('\n')}

Exit code 1 when a mail of the corpus comes out wrong, or when fewer mails hold under a change than its floor, the figure beside
its name; 2 when an option is not understood. Classes have floors that a test holds.`;

/** Of the mails that break under a change, and of the text of each. */
const NAMED = 3;
const MAX_SHOWN_CHARS = 600;

try {
  process.exitCode = (await main(readOptions())) ? 0 : 1;
} catch (error) {
  console.error(`corpus: ${error.message.replace(/\.?$/, '.')} Try --help.`);
  process.exitCode = 2;
}

function readOptions() {
  const { values, positionals } = parseArgs({
    options: {
      folder: { type: 'string' },
      mutate: { type: 'boolean' },
      seed: { type: 'string', default: '1' },
      all: { type: 'boolean' },
      help: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !values.mutate || !MUTATIONS.some((one) => one.name === name));
  if (unknown !== undefined) throw new Error(`There is no change "${unknown}", or --mutate is missing before it`);
  if (!/^\d{1,9}$/.test(values.seed)) throw new Error(`--seed is a whole number, and not "${values.seed}"`);
  const mutations = MUTATIONS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { ...values, seed: Number(values.seed), mutations };
}

async function main(options) {
  if (options.help) return console.log(HELP) === undefined;
  const cases = await (options.folder === undefined ? loadCorpus() : loadCorpusFrom(options.folder));
  if (options.mutate) return judgeMutations(cases, options);
  const isRight = judge(cases, ['otp', 'magicLink'], (message) => extract(parseMessage(message)));
  if (options.folder !== undefined) return isRight;
  console.log();
  const arePartsRight = judge(await loadPartsCorpus(), ['codes', 'action'], (message) => {
    const { codes, links } = readContents(message);
    return { codes: codes.map(({ value }) => value), action: links.find(({ action }) => action)?.url ?? null };
  });
  await printClasses();
  return isRight && arePartsRight;
}

function judgeMutations(cases, { seed, mutations, all }) {
  const rates = mutationRates(cases, { seed, mutations }, { extract, parseMessage });
  for (const rate of rates) {
    const { name, floor, held, broken } = rate;
    const failed = isBelowFloor(rate) ? `  below its floor of ${floor} %` : '';
    const of = held + broken.length;
    console.log(`${name.padEnd(18)} ${percent(held, of).padStart(7)}  held ${held} of ${of}${failed}`);
    for (const { place, wrong, mutant } of all ? broken : broken.slice(0, NAMED)) {
      const what = wrong.map(({ field, expected, found }) => `${field}: expected ${expected}, found ${found}`);
      console.log(`  ${place}: ${what.join('; ')}`);
      if (all)
        console.log(`    ${JSON.stringify([mutant.subject, mutant.text, mutant.html]).slice(0, MAX_SHOWN_CHARS)}`);
    }
  }
  return !rates.some(isBelowFloor);
}

async function printClasses() {
  const reading = { extract, parseMessage, readContents };
  // Mails that were set aside are not named: a rule made for one of them would defeat their purpose.
  const setAside = classRates(await loadSetAsideClasses(), reading);
  console.log(`\n${'class'.padEnd(30)}         set aside`);
  for (const [i, { name, right, wrong }] of classRates(await loadClasses(), reading).entries()) {
    const other = setAside[i];
    const rate = ({ right, wrong }) => percent(right, right + wrong.length).padStart(7);
    console.log(`${name.padEnd(30)} ${rate({ right, wrong })} ${rate(other)}`);
    for (const { place, subject, expected, found } of wrong)
      console.log(`  ${place} (${subject}): expected ${expected}, found ${found}`);
  }
}

/**
 * Prints what failed and how often each field is right: of all messages (accuracy), of those where something was found
 * (precision), and of those where something is to be found (recall). Returns whether nothing failed.
 */
function judge(cases, fields, find) {
  const isRight = (field, { expected, found }) => String(expected[field]) === String(found[field]);
  const isThere = (value) => value !== null && value.length > 0;
  const results = cases.map((expected) => ({ expected, found: find(expected.message) }));
  const failures = results.filter((result) => !fields.every((field) => isRight(field, result)));
  const rate = percent(results.length - failures.length, results.length);
  console.log(`${results.length} messages, both fields right in ${rate}`);
  for (const field of fields) {
    const right = results.filter((result) => isRight(field, result));
    const foundRight = right.filter(({ found }) => isThere(found[field])).length;
    const found = results.filter((result) => isThere(result.found[field])).length;
    const wanted = results.filter(({ expected }) => isThere(expected[field])).length;
    const accuracy = percent(right.length, results.length);
    const [precision, recall] = [percent(foundRight, found), percent(foundRight, wanted)];
    console.log(`${field.padEnd(9)}  accuracy ${accuracy}  precision ${precision}  recall ${recall}`);
  }
  for (const result of failures) {
    const { expected, found } = result;
    console.log(`\n${expected.file}: ${expected.name} (${expected.because})`);
    for (const field of fields.filter((one) => !isRight(one, result)))
      console.log(`  ${field}: expected ${expected[field]}, found ${found[field]}`);
  }
  return failures.length === 0;
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
